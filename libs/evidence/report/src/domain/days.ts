const DAY_MS = 86_400_000;

/** The days in UTC up to the one of `now`, oldest first, as `YYYY-MM-DD`. */
export const lastDays = (count: number, now: number): string[] =>
  Array.from({ length: count }, (_, index) => new Date(now - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10));

/** When the first of those days begins, in epoch milliseconds. */
export const startOfDays = (count: number, now: number): number => (Math.floor(now / DAY_MS) - (count - 1)) * DAY_MS;
