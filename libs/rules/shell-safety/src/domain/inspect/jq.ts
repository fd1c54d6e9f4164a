import type { Argument, Finding, Inspect } from '../inspection.js';

/** `env`, `$ENV` and yq's `strenv(X)`: variables of the environment. A field (`.env`), a key (`{env: 1}`) and a text (`"env"`) are none. */
const ENVIRONMENT = /\$ENV\b|(?:^|[^\w.$"])(?:(?:str)?env|envsubst)\b(?!\s*:[^:])/;
/**
 * yq's `load("file")`, `load_str`, `strload` and the like, its `eval("text")`, and the modules and data of jq: `import "file" as $x`. A
 * comment may stand in between.
 */
const LOADS = /(?:^|[^\w.])(?:\w*load\w*|eval|import|include)(?:\s|#[^\n]*\n)*[("]/;

const FROM_FILE: ReadonlySet<string> = new Set(['-f', '--from-file']);

/** The programs of jq and yq can print the environment's variables, as printenv does, and yq's can read files. */
export const jqProgram: Inspect = (_words, _row, { operands, options }) => {
  const file = options.find(({ name }) => FROM_FILE.has(name));
  if (file !== undefined) return [finding('has a program that the line does not show', file.at)];
  const [program] = operands;
  if (program === undefined) return [];
  const { value } = program;
  if (value === null) return [finding('has a program that cannot be read', program)];
  const findings: Finding[] = [];
  if (ENVIRONMENT.test(value)) findings.push(finding('prints variables that may hold secrets', program));
  if (LOADS.test(value)) findings.push(finding('reads a file that its program names', program));
  return findings;
};

const finding = (does: string, at: Argument): Finding => ({
  kind: 'effect',
  class: 'READ_ONLY',
  tier: 2,
  code: 'shell.reads_secret',
  does,
  at,
});
