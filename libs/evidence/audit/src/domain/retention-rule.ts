import type { AuditLevel } from '#lib/kernel';

/** Levels from the one that is kept least long to the one that is kept longest. */
export const LEVELS: readonly AuditLevel[] = ['basic', 'detailed', 'full', 'full_with_evidence', 'critical'];

/** Days that the payloads of a level are kept; null keeps them for ever. */
export type RetentionRule = Readonly<Record<AuditLevel, number | null>>;

/** The rule of a tenant that sets none. */
export const KEEP_FOR_EVER: RetentionRule = {
  basic: null,
  detailed: null,
  full: null,
  full_with_evidence: null,
  critical: null,
};

/** The least that each level is kept, in days. */
export const MINIMUM_DAYS: Readonly<Record<AuditLevel, number>> = {
  basic: 30,
  detailed: 30,
  full: 90,
  full_with_evidence: 365,
  critical: 730,
};

export const MAXIMUM_DAYS = 36_500;

const days = (kept: number | null): number => kept ?? Number.POSITIVE_INFINITY;

/** The first level with a number of days out of its range. */
export const outOfRange = (rule: RetentionRule): AuditLevel | undefined =>
  LEVELS.find((level) => {
    const kept = rule[level];
    return kept !== null && !(Number.isInteger(kept) && kept >= MINIMUM_DAYS[level] && kept <= MAXIMUM_DAYS);
  });

/** The first level that would be kept less long than the one below it. */
export const shorterThanBelow = (rule: RetentionRule): AuditLevel | undefined =>
  LEVELS.find((level, index) => {
    const below = LEVELS[index - 1];
    return below !== undefined && days(rule[level]) < days(rule[below]);
  });

/** The payloads that a change erases earlier, in words. A longer time loosens nothing. */
export const loosenedRetention = (before: RetentionRule, after: RetentionRule): readonly string[] =>
  LEVELS.filter((level) => days(after[level]) < days(before[level])).map(
    (level) =>
      `payloads of the level ${level} are erased after ${String(after[level])} days, ${before[level] === null ? 'and were kept for ever' : `not ${String(before[level])}`}`,
  );
