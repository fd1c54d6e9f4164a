import type { Argument, Finding, Inspect } from '../inspection.js';

const writes = (does: string, at: Argument): Finding => ({
  kind: 'effect',
  class: 'WRITE',
  code: 'shell.writes_by_operand',
  does,
  at,
});

/** `uniq input output`, `xxd input output`. One word that may be many counts as both. */
export const secondOperandWrites: Inspect = (_words, _row, { operands }) => {
  const at = operands[1] ?? operands.find((operand) => operand.words === 'many');
  return at ? [writes('writes its second operand', at)] : [];
};

/** `sysctl key=value` sets, `sysctl key` shows. A word with an unknown part could be either. */
export const assignmentWrites: Inspect = (_words, _row, { operands }) =>
  operands
    .filter(({ value }) => value === null || value.includes('='))
    .map((operand) => writes('sets a parameter of the kernel', operand));

/** `date +%F` prints; every other operand of date sets the clock. */
export const dateFormat: Inspect = (_words, _row, { operands }) =>
  operands.filter(({ prefix }) => !prefix.startsWith('+')).map((operand) => writes('sets the clock', operand));

const FORMATS: ReadonlySet<string> = new Set(['-o', '-O', '--format']);

/** `ps auxe`: the letter e of the options without a dash prints the environment of every process, and so does `-o environ`. */
export const psEnvironment: Inspect = (_words, _row, { operands, options }) => [
  ...environmentsOf(operands),
  ...options.flatMap(({ name, value }) =>
    FORMATS.has(name) && value !== null && (value.value === null || /env/i.test(value.value))
      ? [printsEnvironments(value)]
      : [],
  ),
];

/** `docker top web auxe`: the words behind the container are options of ps. */
export const psOptions: Inspect = (words, row, call) =>
  psEnvironment(words, row, { ...call, operands: call.operands.slice(1) });

const environmentsOf = (operands: readonly Argument[]): Finding[] =>
  operands
    .filter(({ value }) => value === null || (/^[a-z]+$/i.test(value) && /e/i.test(value)))
    .map(printsEnvironments);

const printsEnvironments = (at: Argument): Finding => ({
  kind: 'effect',
  class: 'READ_ONLY',
  tier: 2,
  code: 'shell.reads_secret',
  does: 'may print environments, which can hold secrets',
  at,
});

/** True of the folder where the line starts, one above it, the root, or a home. */
function isWideFolder(path: string): boolean {
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '..' && names.length > 0) names.pop();
    else if (name !== '' && name !== '.' && name !== '..' && name !== '~') names.push(name);
  }
  return names.length === 0;
}

/** `diff . copy` compares all files of the two folders, hidden ones too, and shows where they differ. */
export const comparesFolders: Inspect = (_words, _row, { operands }) =>
  operands
    .filter(({ value }) => value !== null && isWideFolder(value))
    .map((at) => ({
      kind: 'effect',
      class: 'READ_ONLY',
      tier: 2,
      code: 'shell.reads_secret',
      does: `compares the hidden files of ${at.text} too, which may hold secrets`,
      at,
    }));

const SERVICE_NAME = /^[a-z0-9][\w@.-]*$/i;

/** `service NAME status` reads; other verbs change the service, and a name with a path is a script of somebody's. */
export const serviceStatus: Inspect = (_words, _row, { operands, options }) => {
  const [name, verb, more] = operands;
  if (!name && options.length > 0) return [];
  if (name?.value && SERVICE_NAME.test(name.value) && verb?.value === 'status' && !more) return [];
  const at = verb ?? name;
  return [
    { kind: 'effect', class: 'WRITE', code: 'shell.changes_service', does: 'changes a service', ...(at && { at }) },
  ];
};

/**
 * `gzip file` replaces the file; with `-c`, `-l` or `-t`, or without a file, it only reads. In bzip2
 * and xz the last of `-t` and `-d` decides.
 */
export const compressToStdout: Inspect = (_words, _row, { operands, options }) => {
  const has = (names: string): boolean => options.some(({ name }) => names.split(' ').includes(name));
  const at = operands[0];
  if (!at || has('-c --stdout --to-stdout')) return [];
  if (has('-l --list -t --test') && !has('-d -z --compress --decompress --uncompress')) return [];
  return [writes('replaces the file', at)];
};

/** The programs of binutils read more options out of `@file`, and one of those loads code (`--plugin`). */
export const responseFile: Inspect = (words) =>
  words
    .filter(({ prefix }) => prefix.startsWith('@'))
    .map((at) => ({
      kind: 'effect',
      class: 'UNKNOWN',
      code: 'shell.hidden_options',
      does: 'reads options out of a file, which the line does not show',
      at,
    }));
