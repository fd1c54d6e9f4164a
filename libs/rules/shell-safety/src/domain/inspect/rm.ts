import type { Argument, Inspect } from '../inspection.js';

const FORCE = new Set(['-f', '--force']);
const RECURSIVE = new Set(['-r', '-R', '--recursive']);

/** A home, the folder of work, or one above. */
const START = /^(?:~[\w-]*|\$\{?(?:HOME|PWD|OLDPWD)\}?|\.{1,2}|\.?\*|)$/;

/** Steps that stay in a folder, go up, or name all that it holds. */
const STEP = /^(?:\.{0,2}|\.?\*)$/;

/** The components of the path, as far as the line tells them. */
const componentsOf = ({ value, text }: Argument): readonly string[] => (value ?? text.replaceAll('"', '')).split('/');

/** `/`, `~`, `.`, `..`, `*`, and longer spellings of them: `./*`, `$HOME/`, `../..`. */
function isWhole([first = '', ...steps]: readonly string[]): boolean {
  return (first !== '' || steps.length > 0) && START.test(first) && steps.every((step) => STEP.test(step));
}

/** A folder right below the root: /etc, /usr, /home. */
function isSystemFolder([first, ...steps]: readonly string[]): boolean {
  return first === '' && steps.filter((step) => !STEP.test(step)).length === 1;
}

/** `rm` asks a person, except for deletions beyond undo, which ADR-007 always denies. */
export const rm: Inspect = (_words, _row, { options, operands }) => {
  const has = (names: ReadonlySet<string>): boolean => options.some(({ name }) => names.has(name));
  const recursive = has(RECURSIVE);
  const denied = (does: string, at?: Argument): ReturnType<Inspect> => [
    { kind: 'effect', class: 'DESTRUCTIVE', tier: 3, code: 'shell.deletes_beyond_undo', does, ...(at && { at }) },
  ];
  if (recursive && has(FORCE)) return denied('deletes folders by force');
  if (has(new Set(['--no-preserve-root']))) return denied('may delete the root');
  const whole = operands.find((operand) => {
    const components = componentsOf(operand);
    return isWhole(components) || (recursive && isSystemFolder(components));
  });
  return whole ? denied('deletes everything in a folder that it must not empty', whole) : [];
};
