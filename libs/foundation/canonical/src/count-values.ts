/**
 * The most values of a recorded result. An evidence pack may hold it for each call of a plan, and a verifier reads so many of them.
 */
export const MAX_RESULT_VALUES = 20_000;

/**
 * The number of values in a value of JSON, itself among them, as the strict parser counts them. Counting ends once there are more
 * than `most`. Levels are not counted, so they are not entered by recursion.
 */
export function countValues(value: unknown, most = Infinity): number {
  const left: unknown[] = [value];
  let values = 1;
  while (left.length > 0 && values <= most) {
    const next = left.pop();
    if (typeof next !== 'object' || next === null) continue;
    const members: readonly unknown[] = Object.values(next);
    values += members.length;
    for (const member of members) left.push(member);
  }
  return values;
}
