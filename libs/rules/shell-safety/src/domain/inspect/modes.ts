import type { Finding, Inspect } from '../inspection.js';

/**
 * For a subcommand that looks something up with an option, and changes it without: `git tag -l v1` and `git tag v1`.
 *
 * @param modes the options, separated by spaces, that turn the call into a lookup
 * @param free how many operands are a lookup even without such an option: `git config user.name`
 * @param lookup the form of a free operand; by default any
 */
export function operandsNeedMode(modes: string, free: number, does: string, lookup = /^/): Inspect {
  const names = new Set(modes.split(' '));
  return (_words, _row, call) => {
    const harmless = call.options.some((option) => names.has(option.name));
    if (harmless) return [];
    const at = call.operands.find(({ value }, index) => index >= free || value === null || !lookup.test(value));
    if (!at) return [];
    return [{ kind: 'effect', class: 'WRITE', code: 'shell.writes_by_operand', does, at }];
  };
}

/** For a subcommand that only reads if it is told so: `terraform fmt -check`, but not `-check=false`. */
export function needsMode(modes: string, finding: Finding): Inspect {
  const names = new Set(modes.split(' '));
  return (_words, _row, call) => {
    const told = call.options.filter(({ name }) => names.has(name));
    const refused = told.some(({ value }) => value !== null && value.value !== 'true');
    return told.length > 0 && !refused ? [] : [finding];
  };
}
