import { useMemo } from 'react';
import { useFilters } from './use-filters.js';

/** The filters that every list of work has, as the API and the address name them. */
const WORK_FILTERS = [
  'search',
  'environment',
  'agent_id',
  'tool',
  'target',
  'person_id',
  'when',
  'from',
  'until',
] as const;

/** How far back a preset reaches, in hours. */
const PRESETS: Readonly<Record<string, number>> = { '1h': 1, '24h': 24, '7d': 168, '30d': 720 };

const HOUR_MS = 3_600_000;

/** A moment as the API takes it; what is none is left to the API to refuse. */
const momentOf = (text: string): string => {
  const at = Date.parse(text);
  return Number.isNaN(at) ? text : new Date(at).toISOString();
};

/** From when on, if a preset is chosen; counted once, so that the list stays the same list while it is read. */
function useSince(when: string, from: string): string {
  return useMemo(() => {
    const hours = PRESETS[when];
    return hours === undefined ? momentOf(from) : new Date(Date.now() - hours * HOUR_MS).toISOString();
  }, [when, from]);
}

/** The filters of a list of work, kept in the address, and the query they come to. */
export function useWorkFilters(own: readonly string[]) {
  const filters = useFilters([...own, ...WORK_FILTERS]);
  const { when = '', from = '', until = '', ...others } = filters.values;
  const since = useSince(when, from);
  return { ...filters, query: { ...others, from: since, until: momentOf(until) } };
}

export type WorkFiltersInUse = ReturnType<typeof useWorkFilters>;
