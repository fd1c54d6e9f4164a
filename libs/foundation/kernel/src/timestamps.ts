/** Epoch milliseconds, as the domain counts, to the wire's spelling. */
export const toTimestamp = (epochMs: number): string => new Date(epochMs).toISOString();

/** The same for a moment that may not have come yet. */
export const toTimestampOrNull = (epochMs: number | null): string | null =>
  epochMs === null ? null : toTimestamp(epochMs);
