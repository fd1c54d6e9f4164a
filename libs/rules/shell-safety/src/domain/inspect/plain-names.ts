import type { Inspect } from '../inspection.js';

/** For programs that execute an operand if it is the path of a file: `brew info ./formula.rb`. */
export const plainNames: Inspect = (_words, _row, call) =>
  call.operands
    .filter(({ value }) => value === null || /[/\\]|\.rb$/.test(value))
    .map((at) => ({
      kind: 'effect',
      class: 'UNKNOWN',
      code: 'shell.executes_file',
      does: 'executes the file that the command names',
      at,
    }));
