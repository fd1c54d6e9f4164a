const HOUR_MS = 3_600_000;

/**
 * A daily schedule in Berlin. Its next time is 9 to 12 hours away, so it does not come while a test runs. The last 25 hours had it
 * once.
 *
 * @param hours 1 for another such schedule, an hour later.
 */
export const farSchedule = (hours: 0 | 1 = 0): string =>
  // The clock of Berlin is one or two hours ahead of UTC.
  `0 ${String(new Date(Date.now() + (12 + hours) * HOUR_MS).getUTCHours())} * * *`;
