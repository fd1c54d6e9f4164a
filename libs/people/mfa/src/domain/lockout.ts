/** Wrong codes of one person since their last right one. */
export interface Lockout {
  readonly failures: number;
  /** Epoch milliseconds; null if codes are looked at. */
  readonly lockedUntil: number | null;
}

export const NO_FAILURES: Lockout = { failures: 0, lockedUntil: null };

/** So many wrong codes in a row are slips; the next locks. */
const FORGIVEN = 4;
const FIRST_DELAY_MS = 30_000;
const MAX_DELAY_MS = 3_600_000;

/**
 * After a wrong code. From the fifth in a row on, no code is looked at for 30 seconds. Each further one doubles that
 * time, up to an hour.
 */
export function afterWrongCode({ failures }: Lockout, now: number): Lockout {
  const next = failures + 1;
  if (next <= FORGIVEN) return { failures: next, lockedUntil: null };
  const delay = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (next - FORGIVEN - 1));
  return { failures: next, lockedUntil: now + delay };
}

/** Seconds until a code is looked at again; null if one is now. */
export function secondsLocked({ lockedUntil }: Lockout, now: number): number | null {
  return lockedUntil === null || lockedUntil <= now ? null : Math.ceil((lockedUntil - now) / 1000);
}
