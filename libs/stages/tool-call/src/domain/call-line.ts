import type { GrantedLine } from '#lib/formats';
import type { JudgedLine } from '#lib/plan';
import type { ShellVerdict } from '#lib/shell-safety';

/** The verdict on the command line of a call, and the one reading of it that may be executed (T53). */
export interface CallLine extends ShellVerdict {
  /** Digest of its tree; null if no executor may execute the line. */
  readonly tree: string | null;
}

export const callLine = ({ verdict, expanded }: JudgedLine): CallLine => ({
  ...verdict,
  tree: expanded.ok ? expanded.value.tree : null,
});

/**
 * The reason why no executor could execute a line: the construct, its place and the next action. Null if one could, and for a line that is denied
 * as Tier 3, which says so itself.
 */
export function notExecutable(line: JudgedLine | null): string | null {
  if (line === null || line.expanded.ok || line.expanded.error.code === 'shell.denied') return null;
  const { message, action, details } = line.expanded.error;
  const position = `It stands at characters ${String(Number(details?.start) + 1)} to ${String(details?.end)} of ${line.argument}.`;
  return [message, position, action ?? 'Write the line another way.'].join(' ');
}

/**
 * The line that a grant may name. It is as it was judged when the call was submitted, if it is still read so.
 *
 * @param now the same line, judged again; null if the tool takes none
 * @returns null for a call without a command line
 */
export function lineToGrant(judged: CallLine | null, now: JudgedLine | null): GrantedLine | null | 'differs' {
  if (judged === null) return now === null ? null : 'differs';
  const { shell, tier, tree } = judged;
  if (tier === 3 || tree === null || now?.expanded.ok !== true) return 'differs';
  const { value } = now.expanded;
  return value.tree === tree && value.shell === shell && value.tier <= tier ? { shell, tier, tree } : 'differs';
}
