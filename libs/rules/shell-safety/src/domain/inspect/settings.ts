import type { Finding, Inspect } from '../inspection.js';

const CHANGES: Finding = {
  kind: 'effect',
  class: 'UNKNOWN',
  code: 'shell.changes_settings',
  does: "changes git's configuration, which can name programs",
};
const GIT_CHANGES: ReadonlySet<string> = new Set(
  '--add --replace-all --unset --unset-all --remove-section --rename-section'.split(' '),
);
const GIT_READS: ReadonlySet<string> = new Set(['--get', '--get-all', '--get-regexp']);

/** `git config user.name` shows a setting, and one more operand sets it. */
export const gitConfig: Inspect = (_words, _row, { operands, options }) => {
  if (options.some(({ name }) => GIT_CHANGES.has(name))) return [CHANGES];
  if (options.some(({ name }) => GIT_READS.has(name))) return [];
  const [key, another] = operands;
  const reads = another === undefined && (key === undefined || key.value?.includes('.') === true);
  return reads ? [] : [CHANGES];
};

/** `git checkout -b name` makes a branch of the current state; any operand names another one. */
export const gitCheckout: Inspect = (_words, _row, { operands }) =>
  operands.map((at) => ({
    kind: 'effect',
    class: 'UNKNOWN',
    code: 'shell.writes_tree',
    does: 'writes files that the line does not show',
    at,
  }));
