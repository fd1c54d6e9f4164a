import type { Argument, Finding, Inspect, OptionUse } from '../inspection.js';
import { reachesCode } from '../paths.js';

/** Options that name the folder to write to, so that every operand is a source. */
const INTO: ReadonlySet<string> = new Set(['-t', '--target-directory']);
/** Options with which whole folders are written. */
const WHOLE: ReadonlySet<string> = new Set(['-r', '-R', '-a', '--recursive', '--archive']);
/** The folder that the line starts in, or one above it. */
const ROOT = /^(?:\.{1,2}\/*)+$/;

/** The place that a copy, move or link writes to: the value of `-t`, the last operand, or the current folder. */
export function destinationOf(operands: readonly Argument[], options: readonly OptionUse[]): string {
  const into = options.findLast(({ name }) => INTO.has(name))?.value;
  const last = into ?? (operands.length > 1 ? operands.at(-1) : undefined);
  return last === undefined ? '.' : (last.value ?? last.text);
}

/**
 * `cp hook .husky` writes `.husky/hook` if `.husky` is a folder: the name of each source counts below the destination. A folder that
 * is copied onto the root, or its content (`x/.`), brings files of any name.
 */
export const copies: Inspect = (_words, _row, { operands, options }) => {
  const into = options.some(({ name }) => INTO.has(name));
  const sources = into || operands.length < 2 ? operands : operands.slice(0, -1);
  const destination = destinationOf(operands, options);
  const whole = ROOT.test(destination) && options.some(({ name }) => WHOLE.has(name));
  return sources.flatMap((at): Finding[] => {
    const written = at.value === null ? null : `${destination}/${nameOf(at.value)}`;
    if (whole || (written !== null && ROOT.test(written))) return [effect('writes all that a folder holds', at)];
    if (written === null || !reachesCode(written)) return [];
    return [effect(`may write ${written}, which another program executes, obeys or trusts`, at)];
  });
};

const nameOf = (path: string): string => path.replace(/\/+$/, '').replace(/^.*\//s, '');

const effect = (does: string, at: Argument): Finding => ({
  kind: 'effect',
  class: 'UNKNOWN',
  code: 'shell.writes_code',
  does,
  at,
});
