/** Since when a person or an agent is disabled after a change. Undefined leaves it as it was. The first time counts. */
export function disabledSince(disabled: boolean | undefined, before: number | null, now: number): number | null {
  if (disabled === undefined) return before;
  return disabled ? (before ?? now) : null;
}
