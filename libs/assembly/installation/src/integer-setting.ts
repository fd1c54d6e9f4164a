import { wrongSetting } from '#lib/kernel';

/** A whole number from an environment variable. @throws {FailureError} `start.wrong_setting`, naming the variable. */
export function integerSetting(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
  fallback: number,
  [least, most]: readonly [least: number, most: number],
): number {
  const text = environment[name];
  if (text === undefined || text === '') return fallback;
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw wrongSetting(`${name} must be a whole number from ${String(least)} to ${String(most)}, and is "${text}".`);
}
