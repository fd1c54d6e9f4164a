/** After so many attempts that failed a message is given up, and an admin decides whether it is sent again. */
export const MOST_ATTEMPTS = 10;

const FIRST_MS = 1_000;
const LONGEST_MS = 300_000;

/** How long to wait after the nth attempt failed, in milliseconds: doubled each time, to five minutes. */
export const retryDelayMs = (attempts: number): number =>
  Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(20, Math.max(0, attempts - 1)));
