/** How a call ended, in a few words, of its result. */
export interface ResultFact {
  readonly words: string;
  readonly good: boolean;
}

type Members = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The facts that a reader looks for first. They are a command's exit status, an incomplete output, and the outcome of each check
 * after a write. A tool names them as it likes, so these are the members of our own runner's results.
 */
export function resultFacts(result: unknown): readonly ResultFact[] {
  if (!isObject(result)) return [];
  const { exit_status: status, exit_code: code, timed_out: late, checks } = result;
  const cut = result.stdout_truncated === true || result.stderr_truncated === true;
  const exit = status ?? code;
  return [
    ...(typeof exit === 'number' ? [{ words: `exit status ${String(exit)}`, good: exit === 0 }] : []),
    ...(late === true ? [{ words: 'stopped at its time limit', good: false }] : []),
    ...(cut ? [{ words: 'output cut off at its limit', good: false }] : []),
    ...(Array.isArray(checks) ? checks.flatMap(checkFact) : []),
  ];
}

function checkFact(check: unknown): readonly ResultFact[] {
  if (!isObject(check) || typeof check.script !== 'string' || typeof check.passed !== 'boolean') return [];
  const name = `check ${check.script}`;
  return [{ words: check.passed ? `${name} passed` : `${name} failed`, good: check.passed }];
}
