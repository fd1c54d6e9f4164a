/** A message is given up after this many failed attempts; an admin may send it again. */
export const MAX_ATTEMPTS = 10;

const FIRST_MS = 1_000;
const MAX_DELAY_MS = 300_000;

/** The wait after the nth failed attempt, in milliseconds: it doubles each time, up to five minutes. */
export const retryDelayMs = (attempts: number): number =>
  Math.min(MAX_DELAY_MS, FIRST_MS * 2 ** Math.min(20, Math.max(0, attempts - 1)));
