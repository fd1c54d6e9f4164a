import type { RunEventView } from '#lib/api-schemas';
import { shortenedInWords } from '#lib/words';
import { clock } from '../components/clock.js';

type Data = RunEventView['data'];

const text = (data: Data, name: string): string | null => {
  const value = data[name];
  return typeof value === 'string' ? value : null;
};

const messageOf = (data: Data): string | null => {
  for (const name of ['reason', 'error']) {
    const value = data[name];
    if (value !== null && typeof value === 'object' && 'message' in value && typeof value.message === 'string')
      return value.message;
  }
  return null;
};

/** By how much the wait of an event was shortened, if it was: in a demonstration only. */
export const scaleOf = ({ shortened_for_demonstration_by: scale }: Data): number | null =>
  typeof scale === 'number' ? scale : null;

const MAX_TARGETS = 4;

function targetsOf(data: Data): string | null {
  const { targets } = data;
  if (!Array.isArray(targets) || targets.length === 0) return null;
  const named = targets.slice(0, MAX_TARGETS).map(String).join(', ');
  const rest = targets.length - MAX_TARGETS;
  return rest > 0 ? `${named} and ${String(rest)} more` : named;
}

/** The content of an event beyond its type, in one line. */
export function summaryOf({ data }: Pick<RunEventView, 'data'>): string {
  const tool = text(data, 'tool');
  const targets = targetsOf(data);
  const parts = [
    tool === null ? null : targets === null ? tool : `${tool} on ${targets}`,
    text(data, 'step_id'),
    text(data, 'explanation'),
    text(data, 'until') === null ? null : `until ${clock.format(new Date(text(data, 'until') ?? ''))}`,
    scaleOf(data) === null ? null : shortenedInWords(scaleOf(data) ?? 1),
    messageOf(data),
    text(data, 'note'),
  ];
  return parts.filter((part) => part !== null).join(' · ');
}
