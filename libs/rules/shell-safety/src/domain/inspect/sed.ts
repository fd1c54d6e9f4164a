import type { Argument, Finding, Inspect } from '../inspection.js';
import { readsOutside } from '../outside-paths.js';
import { namesSecret } from '../paths.js';
import { literal } from '../read-word.js';
import { readSed } from './read-sed.js';

/** Files that sed takes for its own output. */
const OWN_OUTPUT = new Set(['/dev/stdout', '/dev/stderr']);

/** Reads the program of sed: its commands `w` and `W` write, `e` and the flag `e` of `s` execute, `r` reads. */
export const sed: Inspect = (_words, _row, call) => {
  const given = call.options.filter(({ name }) => name === '-e' || name === '--expression');
  const programs = given.length > 0 ? given.flatMap(({ value }) => value ?? []) : call.operands.slice(0, 1);
  const [first] = programs;
  if (first === undefined) return [];
  if (programs.some(({ value }) => value === null)) return [unreadable(first)];
  const program = readSed(programs.map(({ value }) => value ?? '').join('\n'));
  if (program === null) return [unreadable(first)];
  const findings: Finding[] = [];
  const note = (found: boolean, finding: Pick<Finding & { kind: 'effect' }, 'class' | 'code' | 'does'>): void => {
    if (found) findings.push({ kind: 'effect', at: first, ...finding });
  };
  note(program.executes, {
    class: 'UNKNOWN',
    code: 'shell.program_executes',
    does: 'executes commands that its program names',
  });
  const writes = program.writes.some((path) => !OWN_OUTPUT.has(path));
  note(writes, { class: 'WRITE', code: 'shell.program_writes', does: 'writes a file that its program names' });
  const read = program.reads.map((path) => pathAt(path, first));
  if (read.some(readsOutside)) {
    const does = 'reads a file that may lie outside the workspace';
    findings.push({ kind: 'effect', class: 'READ_ONLY', tier: 2, code: 'shell.reads_outside', does, at: first });
  }
  if (read.some(namesSecret)) {
    findings.push({
      kind: 'effect',
      class: 'READ_ONLY',
      tier: 2,
      code: 'shell.reads_secret',
      does: 'reads a file that may hold secrets',
      at: first,
    });
  }
  return findings;
};

const pathAt = (path: string, at: Argument): Argument => literal(path, path, at.start, at.end);

const unreadable = (at: Argument): Finding => ({
  kind: 'effect',
  class: 'UNKNOWN',
  code: 'shell.unreadable_program',
  does: 'has a program that cannot be read',
  at,
});
