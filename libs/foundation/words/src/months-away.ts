/**
 * Says that counts of decisions lack months: an operator took their tables out of the database.
 *
 * @param months as `2026-01`.
 * @returns null without any.
 */
export function monthsAwaySentence(months: readonly string[]): string | null {
  const last = months.at(-1);
  if (last === undefined) return null;
  const named = months.length === 1 ? last : `${months.slice(0, -1).join(', ')} and ${last}`;
  return `The decisions of ${named} are not in the database, so they are not counted.`;
}
