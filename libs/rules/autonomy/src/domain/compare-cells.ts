import { minutesInWords } from '#lib/words';
import type { Decision } from '#lib/formats';

/** How one cell of the matrix changes. */
export interface CellChange {
  readonly change: 'loosens' | 'tightens' | 'mixed';
  /** In words. */
  readonly what: readonly string[];
}

/** True if the second decision lets something pass that the first held back. */
export type IsLooser = (before: Decision, after: Decision) => boolean;

/** Compares a cell before and after. Null if no visible part changes. */
export function compareCells(before: Decision, after: Decision, isLooser: IsLooser): CellChange | null {
  const looser = isLooser(before, after);
  const tighter = isLooser(after, before);
  if (!looser && !tighter) return null;
  return { change: looser ? (tighter ? 'mixed' : 'loosens') : 'tightens', what: differences(before, after) };
}

function differences(before: Decision, after: Decision): string[] {
  const what: string[] = [];
  if (before.outcome !== after.outcome) what.push(`outcome: ${before.outcome} becomes ${after.outcome}`);
  // The obligations of a deny have no effect.
  if (before.outcome === 'deny' || after.outcome === 'deny') return what;
  const say = (name: string, from: string, to: string): void => {
    if (from !== to) what.push(`${name}: ${from} becomes ${to}`);
  };
  const [owed, owes] = [before.obligations, after.obligations];
  say('approvals', slotsInWords(before), slotsInWords(after));
  say('second factor', owed.mfa ? 'required' : 'not required', owes.mfa ? 'required' : 'not required');
  say('phases', owed.phases, owes.phases);
  say('an approval is good for', minutesInWords(owed.valid_minutes), minutesInWords(owes.valid_minutes));
  return what;
}

const slotsInWords = ({ obligations }: Decision): string =>
  obligations.approvals.map(({ count, roles }) => `${String(count)} of ${roles.join(' or ')}`).join(', and ') || 'none';

/** The place in the document that the mode in force comes from, as the policies name it. Null for the default. */
export function pointerOfSource(source: string): string | null {
  if (source === 'mode') return '/autonomy/mode';
  const [, block, name] = /^(environments|tool_overrides)\.(.+)\.mode$/.exec(source) ?? [];
  return block === undefined || name === undefined ? null : `/autonomy/${block}/${name}/mode`;
}
