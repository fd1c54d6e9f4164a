import type { Argument, Finding, Inspect } from '../inspection.js';
import { literal } from '../read-word.js';
import { readAwk, type AwkToken } from './read-awk.js';
import { PRINTS_ENVIRONMENT } from './wrapper-inspections.js';

/** The texts that every program with an effect of its own holds, wherever they stand. */
const MAY_HAVE_EFFECT = /[|@>]|system|getline|ENVIRON|SYMTAB|ARG[CV]/;

/**
 * Reads the program of awk: `system`, pipes and coprocesses execute, `print >` writes, `getline <` and `ARGV` name
 * files to read. A person looks at a program that implementations may read in different ways. A program needs no look
 * if none of its text can have an effect.
 */
export const awk: Inspect = (_words, _row, call) => {
  const given = call.options.filter(({ name }) => name === '-e' || name === '--source');
  const programs = given.length > 0 ? given.flatMap(({ value }) => value ?? []) : call.operands.slice(0, 1);
  const [first] = programs;
  if (first === undefined) return [];
  if (programs.some(({ value }) => value === null)) return [unreadable(first)];
  const program = programs.map(({ value }) => value ?? '').join('\n');
  if (!MAY_HAVE_EFFECT.test(program)) return [];
  const tokens = readAwk(program);
  return tokens === null ? [unreadable(first)] : effectsOf(first, tokens);
};

/** Signs behind which a newline does not end a statement. */
const GOES_ON: ReadonlySet<string> = new Set([',', '&&', '||', '?', ':']);

function effectsOf(at: Argument, tokens: readonly AwkToken[]): Finding[] {
  const findings: Finding[] = [];
  let printing = false;
  let depth = 0;
  let string: string | null = null;
  let calls = false;
  let before = '';
  for (const { kind, text } of tokens) {
    if (kind === 'string') {
      string = unescaped(text);
      if (calls) findings.push(...executes(at, string));
      calls = false;
      before = '';
      continue;
    }
    const sign = kind === 'sign' ? text : '';
    const word = kind === 'word' ? text : '';
    if (sign === '|' || sign === '|&') {
      findings.push(...executes(at, string));
      calls = true;
    } else if (word === 'system') {
      findings.push(...executes(at, null));
      calls = true;
    } else if (sign === '@') {
      // gawk loads code, and calls a function by a name in a variable.
      findings.push(...executes(at, null));
    } else if (word === 'ENVIRON' || word === 'SYMTAB') {
      findings.push(PRINTS_ENVIRONMENT);
    } else if (word === 'getline' || word === 'ARGV' || word === 'ARGC') {
      findings.push(effect(at, 'UNKNOWN', 'shell.program_reads', 'reads a file or command that its program names'));
    } else if ((sign === '>' || sign === '>>') && printing && depth <= 0) {
      findings.push(effect(at, 'WRITE', 'shell.program_writes', 'writes a file that its program names'));
    } else if (sign !== '(') {
      calls = false;
    }
    if (word === 'print' || word === 'printf') [printing, depth] = [true, 0];
    if (sign === '(' || sign === '[') depth += 1;
    if (sign === ')' || sign === ']') depth -= 1;
    if (sign === ';' || sign === '{' || sign === '}' || (sign === '\n' && !GOES_ON.has(before))) printing = false;
    string = null;
    // An empty line does not end the statement either.
    if (sign !== '\n') before = sign;
  }
  return findings;
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
