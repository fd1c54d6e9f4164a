import type { Argument, Finding, Inspect, OptionUse } from '../inspection.js';
import { argumentOf, literal, unknown, withPatterns } from '../read-word.js';
import type { Shell } from '../verdict.js';
import { joined } from './joined.js';

const runs = (words: readonly Argument[] | null): Finding[] => (words === null ? [] : [{ kind: 'command', words }]);

/** As printenv does. The allow-list of a terminal has both. */
export const PRINTS_ENVIRONMENT: Finding = {
  kind: 'effect',
  class: 'READ_ONLY',
  tier: 2,
  code: 'shell.read_only',
  does: 'prints variables, which may hold secrets',
};

/** `env -S 'program words' more`: the value is split into words, and those that follow are added. */
const env: Inspect = (_words, _row, { options, command }) => {
  const moves = options
    .filter(({ name }) => name === '-C' || name === '--chdir')
    .map(({ value }): Finding => ({ kind: 'moves', ...(value && { to: value }) }));
  const split = options.find(({ name }) => name === '-S' || name === '--split-string')?.value;
  if (command === null && split == null) return [PRINTS_ENVIRONMENT];
  if (split == null) return [...moves, ...runs(command)];
  return [...moves, { kind: 'script', source: joined([split, ...(command ?? []).map(quoted)]) }];
};

/** A literal word, quoted so that a shell reads it as one. */
const quoted = (word: Argument): Argument =>
  word.value === null ? word : literal(word.text, `'${word.value.replaceAll("'", "'\\''")}'`, word.start, word.end);

/** `command -v name` looks a program up; `command name` executes it. */
const command: Inspect = (_words, _row, call) =>
  call.options.some(({ name }) => name === '-v' || name === '-V') ? [] : runs(call.command);

/** xargs adds words of its input to the command, or puts them in the place of a text (`-I {}`). */
const xargs: Inspect = (words, row, call) => {
  const list = call.options.find(({ name }) => name === '-a' || name === '--arg-file');
  const does = 'takes words from a file that the line does not show';
  return [
    ...executed(words, row, call),
    ...call.options.flatMap(slotVariable),
    ...(list === undefined
      ? []
      : [{ kind: 'effect', class: 'UNKNOWN', code: 'shell.unknown_input', does, at: list.at } as const]),
  ];
};

/** `--process-slot-var=NAME` gives the program a variable with a number: as PATH, it is the name of a folder. */
const slotVariable = ({ name, value }: OptionUse): Finding[] =>
  name === '--process-slot-var' && value !== null
    ? [{ kind: 'assignment', word: value, exported: true, given: true }]
    : [];

const executed: Inspect = (_words, _row, call) => {
  if (call.command === null) return [];
  const { options } = call;
  const replacing = options.find(({ name }) => ['-I', '-i', '-J', '--replace'].includes(name));
  const mark = replacing === undefined ? null : (replacing.value?.value ?? '{}');
  const last = call.command.at(-1);
  if (last === undefined) return [];
  const words = call.command.map((word) => {
    const at = mark === null || mark === '' ? -1 : word.text.indexOf(mark);
    if (mark === null || at < 0) return word;
    const begins = word.prefix.includes(mark) ? (word.prefix.split(mark)[0] ?? '') : '';
    const found = unknown(word.text, 'one', begins, word.start, word.end);
    const patterns = word.patterns.map((pattern) => pattern.replaceAll(mark, '**'));
    return patterns.every((pattern) => pattern.includes('**')) ? withPatterns(found, patterns) : found;
  });
  return runs(mark === null ? [...words, unknown('its input', 'many', '', last.end, last.end)] : words);
};

/** A word behind the commands of `-c`, which is one of their parameters. */
const parameter = (word: Argument): Finding => ({
  kind: 'assignment',
  word: argumentOf(
    word.text,
    word.value === null ? null : `@=${word.value}`,
    `@=${word.prefix}`,
    word.words,
    word.patterns.map((pattern) => `@=${pattern}`),
    word.start,
    word.end,
  ),
  exported: false,
});

/** A shell: `-c` takes commands, an operand is a script file, and without both the input holds commands. */
const shell =
  (name: Shell): Inspect =>
  (_words, _row, { options, command: operands }) => {
    const has = (option: string): boolean => options.some((used) => used.name === option);
    const [first, ...rest] = operands ?? [];
    if (has('-c')) {
      if (first === undefined) return [];
      return [{ kind: 'script', source: first, shell: name }, ...rest.map(parameter)];
    }
    if (first === undefined || has('-s')) return [{ kind: 'input', shell: name }];
    return [
      {
        kind: 'effect',
        class: 'UNKNOWN',
        code: 'shell.executes_file',
        does: 'executes a file that the line does not show',
        at: first,
      },
    ];
  };

/** `watch` gives its words to a shell, and with `-x` executes them. */
const watch: Inspect = (_words, _row, call) => {
  if (call.options.some(({ name }) => name === '-x' || name === '--exec')) return runs(call.command);
  return scriptOf(call.command);
};

/** The words behind the host are a script for another machine's shell. Without them, the input holds commands. */
const ssh: Inspect = (_words, _row, call) =>
  call.command === null ? [{ kind: 'input', shell: 'unknown' }] : scriptOf(call.command, 'unknown');

function scriptOf(words: readonly Argument[] | null, shellName?: Shell): Finding[] {
  const [first, ...rest] = words ?? [];
  if (first === undefined) return [];
  return [{ kind: 'script', source: joined([first, ...rest]), ...(shellName && { shell: shellName }) }];
}

/** The inspections of programs that execute other programs, by the name that their rows give. */
export const WRAPPER_INSPECTIONS: Readonly<Record<string, Inspect>> = {
  env,
  command,
  xargs,
  watch,
  ssh,
  'shell-bash': shell('bash'),
  'shell-sh': shell('sh'),
  'shell-zsh': shell('zsh'),
  'shell-unknown': shell('unknown'),
};
