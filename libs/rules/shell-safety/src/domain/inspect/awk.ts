import type { Argument, Finding, Inspect } from '../inspection.js';
import { literal } from '../read-word.js';
import { PRINTS_ENVIRONMENT } from './wrapper-inspections.js';

/** A string, a word, or an operator. */
const TOKEN = /"((?:\\[\s\S]|[^"\\])*)"|[A-Za-z_][\w:]*|\|\||\|&|>>|>=|&&|[\s\S]/y;
/** A regular expression. Implementations differ on a slash in brackets: such a one is read as operators and words. */
const REGULAR_EXPRESSION = /\/(?:\\.|\[(?:\\.|[^\]\\\n/])*\]|[^/\\\n[])*\//y;
/** Behind these, and at the start, a slash begins a regular expression. Elsewhere it may divide. */
const BEFORE_OPERAND = new Set(['', '(', '{', '}', ';', ',', '!', '~', '&&', '||', '\n']);

/**
 * Reads the program of awk: `system`, pipes and coprocesses execute, `print >` writes, `getline <` reads. A `|` or `@` that may stand
 * inside a regular expression counts as an operator: then a person looks.
 */
export const awk: Inspect = (_words, _row, call) => {
  const given = call.options.filter(({ name }) => name === '-e' || name === '--source');
  const programs = given.length > 0 ? given.flatMap(({ value }) => value ?? []) : call.operands.slice(0, 1);
  return programs.flatMap((program) =>
    program.value === null ? [unreadable(program)] : inspectProgram(program, program.value),
  );
};

function inspectProgram(at: Argument, program: string): Finding[] {
  const findings: Finding[] = [];
  let printing = false;
  let depth = 0;
  let string: string | null = null;
  let calls = false;
  for (const { token, quoted } of tokensOf(program)) {
    if (quoted !== null) {
      string = quoted;
      if (calls) findings.push(...executes(at, string));
      calls = false;
      continue;
    }
    if (token === '|' || token === '|&') {
      findings.push(...executes(at, string));
      calls = true;
    } else if (token === 'system') {
      findings.push(...executes(at, null));
      calls = true;
    } else if (token === '@') {
      // gawk loads code, and calls a function by a name in a variable.
      findings.push(...executes(at, null));
    } else if (token === 'ENVIRON' || token === 'SYMTAB') {
      findings.push(PRINTS_ENVIRONMENT);
    } else if (token === 'getline') {
      findings.push(effect(at, 'UNKNOWN', 'shell.program_reads', 'reads a file or command that its program names'));
    } else if ((token === '>' || token === '>>') && printing && depth === 0) {
      findings.push(effect(at, 'WRITE', 'shell.program_writes', 'writes a file that its program names'));
    } else if (token !== '(') {
      calls = false;
    }
    if (token === 'print' || token === 'printf') printing = true;
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    if (token === ';' || token === '{' || token === '}' || token === '\n') {
      printing = false;
      depth = 0;
    }
    string = null;
  }
  return findings;
}

function* tokensOf(program: string): Generator<{ token: string; quoted: string | null }> {
  let before = '';
  for (let at = 0; at < program.length;) {
    if (program[at] === '/' && BEFORE_OPERAND.has(before)) {
      REGULAR_EXPRESSION.lastIndex = at;
      const expression = REGULAR_EXPRESSION.exec(program)?.[0];
      if (expression !== undefined) {
        at += expression.length;
        before = expression;
        continue;
      }
    }
    TOKEN.lastIndex = at;
    const [token = '', quoted] = TOKEN.exec(program) ?? [];
    at += token.length;
    if (token === ' ' || token === '\t') continue;
    before = token;
    yield { token, quoted: quoted === undefined ? null : unescaped(quoted) };
  }
}

const unescaped = (text: string): string => text.replace(/\\([\s\S])/g, '$1');

/** A command that the program executes, which is judged too if the program spells it out. */
function executes(at: Argument, command: string | null): Finding[] {
  const finding = effect(at, 'UNKNOWN', 'shell.program_executes', 'executes commands that its program names');
  if (command === null) return [finding];
  return [finding, { kind: 'script', source: literal(at.text, command, at.start, at.end), loose: true }];
}

function effect(at: Argument, shellClass: 'UNKNOWN' | 'WRITE', code: string, does: string): Finding {
  return { kind: 'effect', class: shellClass, code, does, at };
}

const unreadable = (at: Argument): Finding =>
  effect(at, 'UNKNOWN', 'shell.unreadable_program', 'has a program that cannot be read');
