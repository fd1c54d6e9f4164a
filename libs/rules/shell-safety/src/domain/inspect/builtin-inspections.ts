import type { Argument, Finding, Inspect } from '../inspection.js';
import { isSecretVariable } from '../secret-variables.js';
import { argumentOf, literal } from '../read-word.js';
import { joined } from './joined.js';
import { PRINTS_ENVIRONMENT } from './wrapper-inspections.js';

const NUMBERS: ReadonlySet<string | null> = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge']);
/** Conversions of printf that take a number, for which zsh evaluates the argument. */
const NUMERIC_FORMAT = /%[^%a-zA-Z]*[diouxXeEfFgGc*]/;
/** The conversion by which printf gives the variable of that name a number: `printf xx%n PATH`. */
const COUNTING_FORMAT = /%[^%a-zA-Z]*[hjlLtz]*n/;

const name = (word: Argument): Finding => ({ kind: 'evaluates', word, as: 'name' });
const number = (word: Argument): Finding => ({ kind: 'evaluates', word, as: 'number' });
const sets = (word: Argument, exported = false): Finding => ({ kind: 'assignment', word, exported });
/** The variable gets a value out of data. */
const given = (word: Argument): Finding => ({ kind: 'assignment', word, exported: false, given: true });

/** True for `a[$(command)]`, in quotes that the shell has removed. */
const hidesCommand = (word: Argument | undefined): word is Argument =>
  word?.value != null && /\[[\s\S]*[$`]/.test(word.value);

/** True for `a=1` and `a++` too. */
const assigns = ({ value }: Argument): boolean => value !== null && /[A-Za-z_]/.test(value) && /=|\+\+|--/.test(value);

/** The value of `-vNAME`. */
const withoutOption = ({ text, value, prefix, patterns, start, end }: Argument): Argument =>
  argumentOf(
    text.replace(/^(["']?)-v/, '$1'),
    value?.slice(2) ?? null,
    prefix.slice(2),
    'one',
    patterns.map((pattern) => pattern.slice(2)),
    start,
    end,
  );

/** `test -v name` and numeric comparisons evaluate their words; zsh evaluates those of `[` too. */
const test: Inspect = (words) =>
  words.flatMap((word, index) => {
    const [before, after] = [words[index - 1], words[index + 1]];
    if (NUMBERS.has(word.value)) return [before, after].flatMap((operand) => (operand ? [number(operand)] : []));
    // It may turn out to be one of these operators.
    if (word.value === null)
      return [before, after].flatMap((operand) => (hidesCommand(operand) ? [name(operand)] : []));
    return (word.value === '-v' || word.value === '-R') && after ? [name(after)] : [];
  });

/** The words from a place on, without a `--` that ends the options there. */
const withoutEnd = (words: readonly Argument[], from: number): readonly Argument[] =>
  words.slice(words[from]?.value === '--' ? from + 1 : from);

/** `printf -v name`, the numbers of `%d`, and the names of `%n`. */
const printf: Inspect = (all) => {
  const words = withoutEnd(all, 0);
  const [first, second] = words;
  const attached =
    first?.patterns[0]?.startsWith('-v') === true && first.value !== '-v' ? withoutOption(first) : undefined;
  const target = first?.value === '-v' ? second : attached;
  const [format, ...values] = target === undefined ? words : withoutEnd(words, attached === undefined ? 2 : 1);
  const has = (conversion: RegExp): boolean => format?.value == null || conversion.test(format.value);
  const evaluated = has(NUMERIC_FORMAT) ? values.filter((word) => hidesCommand(word) || assigns(word)) : [];
  return [
    ...(target === undefined ? [] : [name(target), given(target)]),
    ...evaluated.map(number),
    ...(has(COUNTING_FORMAT) ? values : []).map(given),
  ];
};

/** Operands, and the values of `-a`, `-p`, `-n`, that name the variables to set. zsh evaluates the value of `-t`, a time. */
const setsOperands: Inspect = (_words, _row, { options, operands }) => {
  const valuesOf = (...names: string[]): Argument[] =>
    options.flatMap(({ name: option, value }) => (names.includes(option) && value ? [value] : []));
  return [
    ...[...operands, ...valuesOf('-a', '-p')].flatMap((word) => [name(word), given(word)]),
    ...valuesOf('-t').map(number),
  ];
};

/** As `setsOperands`, and without a name into a variable of the shell's own. */
const reads =
  (into: string): Inspect =>
  (words, row, call) => {
    const findings = setsOperands(words, row, call);
    return call.operands.length > 0 ? findings : [...findings, given(literal(into, into, 0, 0))];
  };

/** The values of options that the shell evaluates as commands. */
const scriptsOf =
  (names: readonly string[]): Inspect =>
  (_words, _row, { options }) =>
    options.flatMap(({ name: option, value }) =>
      names.includes(option) && value ? [EVALUATES, { kind: 'script', source: value } as const] : [],
    );

const EVALUATES: Finding = {
  kind: 'effect',
  class: 'UNKNOWN',
  code: 'shell.option_executes',
  does: 'evaluates the value of an option as a command',
};

/** `mapfile -C command`. */
const mapfile: Inspect = (words, row, call) => [
  ...reads('MAPFILE')(words, row, call),
  ...scriptsOf(['-C'])(words, row, call),
];

/** `compgen -C command`, and `-V name` for its output. */
const compgen: Inspect = (words, row, call) => [
  ...call.options.flatMap(({ name: option, value }) => (option === '-V' && value ? [name(value), given(value)] : [])),
  ...scriptsOf(['-C', '-F', '-W'])(words, row, call),
];

/** `getopts options name`. */
const getopts: Inspect = (_words, _row, { operands }) =>
  operands.slice(1, 2).flatMap((word) => [name(word), given(word)]);

/** `declare -i` makes each later value an expression, as `-F` does in zsh; `-n` makes a variable the name of another. */
const declares =
  (exports: boolean, numbers = false): Inspect =>
  (_words, _row, { options, operands }) => {
    const has = (option: string): boolean => options.some((used) => used.name === option);
    // zsh prints the variable of `typeset NAME`.
    const shown = operands.filter(
      ({ prefix, value }) => value === null || isSecretVariable(prefix.replace(/=.*/s, '')),
    );
    const prints = shown.some(({ prefix }) => has('-p') || (!exports && !prefix.includes('=')));
    if (operands.length === 0 && !has('-f') && !has('-F')) return [PRINTS_ENVIRONMENT];
    const reference = options.find((used) => used.name === '-n' && !exports);
    const evaluated = operands.flatMap((word): Finding[] => [
      name(nameOf(word)),
      ...(numbers || has('-i') || (has('-F') && word.prefix.includes('='))
        ? [number(valueOf(word)), number(nameOf(word))]
        : []),
      ...(reference ? [name(valueOf(word))] : []),
      ...(word.prefix.includes('=') ? [sets(word, exports || has('-x'))] : []),
    ]);
    const findings = prints ? [...evaluated, PRINTS_ENVIRONMENT] : evaluated;
    if (!reference) return findings;
    const does = 'makes a variable stand for another, whose name is evaluated';
    return [...findings, { kind: 'effect', class: 'UNKNOWN', code: 'shell.makes_reference', does, at: reference.at }];
  };

/** The position of the sign that assigns, or -1. A subscript may hold others: `a[x=1]=2`. */
function equalsOf({ prefix, value }: Argument): number {
  if (!/^[A-Za-z_]\w*\[/.test(prefix)) return prefix.indexOf('=');
  // The last one that may assign, since the subscript is the part that executes commands.
  const head = /^[\s\S]*\]\+?=/.exec(prefix)?.[0];
  if (head !== undefined) return head.length - 1;
  return value === null ? -1 : prefix.indexOf('=');
}

const nameOf = (word: Argument): Argument => {
  const equals = equalsOf(word);
  return cut(word, 0, equals < 0 ? undefined : equals);
};
const valueOf = (word: Argument): Argument => {
  const equals = equalsOf(word);
  return cut(word, equals < 0 ? word.prefix.length : equals + 1);
};

function cut(word: Argument, from: number, to?: number): Argument {
  const prefix = word.prefix.slice(from, to);
  const known = word.value !== null || to !== undefined;
  const patterns = known ? [prefix] : word.patterns;
  return argumentOf(
    known ? prefix : word.text,
    known ? prefix : null,
    prefix,
    word.words,
    patterns,
    word.start,
    word.end,
  );
}

const evaluatesOperands: Inspect = (_words, _row, { operands }) => operands.map(number);
const evaluatesNames: Inspect = (_words, _row, { operands }) => operands.flatMap((word) => [name(word), sets(word)]);

const evaluates: Inspect = (words) => {
  const [first, ...rest] = words[0]?.value === '--' ? words.slice(1) : words;
  return first === undefined ? [] : [{ kind: 'script', source: joined([first, ...rest]) }];
};

/** `cd .` stays, and every other folder is another one. */
/** A folder that the shell has from lines before: the one of `cd -`, or one of its stack. */
const FOLDER_OF_BEFORE: Argument = argumentOf('-', null, '', 'one', ['~-'], 0, 0);

const movesTo = (folder: Argument | undefined): readonly Finding[] => [
  { kind: 'moves', ...(folder && { to: folder }) },
];

/** `-`, `+1` and `-1`, which name a folder of lines before. */
const namesBefore = ({ value }: Argument): boolean => value !== null && /^(?:-|[-+]\d+)$/.test(value);

const cd: Inspect = (_words, _row, { operands }) => {
  if (operands.some(namesBefore)) return movesTo(FOLDER_OF_BEFORE);
  const stays = operands.length > 0 && operands.every(({ value }) => value !== null && /^\.\/*$/.test(value));
  return stays ? [] : movesTo(operands[0]);
};

/** `pushd FOLDER`; any other word, and none, goes to a folder of the stack. */
const stack: Inspect = (_words, _row, { operands }) =>
  movesTo(operands.length === 0 || operands.some(namesBefore) ? FOLDER_OF_BEFORE : operands[0]);

/** `trap 'command' SIGNAL…`; `trap - SIGNAL` and `trap SIGNAL` put the default back. */
const trap: Inspect = (_words, _row, { operands }) => {
  const [command, signal] = operands;
  if (command === undefined || signal === undefined || command.value === '-' || command.value === '') return [];
  return [{ kind: 'script', source: command }];
};

const alias: Inspect = (_words, _row, { operands }) =>
  operands
    .filter(({ value, prefix }) => value === null || prefix.includes('='))
    .flatMap((word): Finding[] => [
      {
        kind: 'effect',
        class: 'UNKNOWN',
        code: 'shell.makes_alias',
        does: 'changes what a word of later lines runs',
        at: word,
      },
      { kind: 'script', source: valueOf(word), loose: true },
    ]);

/** Options of `set -o` after which the shell still reads lines as before. */
const READS_ALIKE = new Set([
  'pipefail',
  'errexit',
  'nounset',
  'xtrace',
  'verbose',
  'noclobber',
  'noglob',
  'noexec',
  'emacs',
  'vi',
]);

const set: Inspect = (words, _row, { options, operands }) => {
  if (words.length === 0) return [PRINTS_ENVIRONMENT];
  const parameters = operands.slice(0, 1).map((word) => given(literal('@', '@', word.start, word.end)));
  const changes = options
    .filter(({ name: option, value }) => option === '-o' && value !== null && !READS_ALIKE.has(value.value ?? ''))
    .map(({ at }): Finding => ({
      kind: 'effect',
      class: 'UNKNOWN',
      code: 'shell.changes_reading',
      does: 'changes how later lines are read',
      at,
    }));
  return [...parameters, ...changes];
};

/** The inspections of builtins that evaluate words, by the name that their rows give. */
export const BUILTIN_INSPECTIONS: Readonly<Record<string, Inspect>> = {
  test,
  printf,
  'sets-operands': setsOperands,
  read: reads('REPLY'),
  getopts,
  mapfile,
  compgen,
  declare: declares(false),
  'declare-numbers': declares(false, true),
  export: declares(true),
  'evaluates-numbers': evaluatesOperands,
  unset: evaluatesNames,
  cd,
  stack,
  eval: evaluates,
  trap,
  alias,
  set,
};
