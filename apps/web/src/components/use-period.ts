import { useMemo } from 'react';

const HOUR_MS = 3_600_000;

/** How far back a preset reaches: its name in the address, in words, and in hours. */
const PRESETS = [
  ['1h', 'in the last hour', 1],
  ['24h', 'in the last day', 24],
  ['7d', 'in the last 7 days', 168],
  ['30d', 'in the last 30 days', 720],
] as const;

/** The presets to choose from, each with its words. */
export const WHEN = PRESETS.map(([name, words]) => [name, words] as const);

/** A moment as the API takes it; the API refuses a text that is none. */
const momentOf = (text: string): string => {
  const at = Date.parse(text);
  return Number.isNaN(at) ? text : new Date(at).toISOString();
};

/** A period as the API takes it: that of a preset, if one is chosen; counted once, so that the list stays the same list while it is read. */
export function usePeriod(values: Readonly<Record<string, string>>): { readonly from: string; readonly until: string } {
  const { when = '', from = '', until = '' } = values;
  return useMemo(() => {
    const hours = PRESETS.find(([name]) => name === when)?.[2];
    const since = hours === undefined ? momentOf(from) : new Date(Date.now() - hours * HOUR_MS).toISOString();
    return { from: since, until: momentOf(until) };
  }, [when, from, until]);
}
