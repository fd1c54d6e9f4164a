/** Decisions of one kind and one outcome, of which a sample holds a stated part. */
export interface Stratum {
  readonly entrypoint: string;
  readonly outcome: string;
  /** How many the period has. */
  readonly total: number;
  /** The part that is put again, from 0 to 1: 1 means all. */
  readonly part: number;
}

/** No stratum of a sample is smaller, if the period has so many. So rare kinds are not lost beside frequent ones. */
export const MIN_OF_STRATUM = 200;

/**
 * Decides how much of each stratum is put again: everything if all fit into `most`. Otherwise it is the least of every
 * stratum and an equal part of the rest. A sample may hold somewhat more or fewer decisions than `most`, since each is
 * chosen by its id alone.
 */
export function sampleOf(counted: readonly Omit<Stratum, 'part'>[], most: number): readonly Stratum[] {
  const total = counted.reduce((sum, one) => sum + one.total, 0);
  if (total <= most) return counted.map((one) => ({ ...one, part: 1 }));
  const least = (of: number): number => Math.min(of, MIN_OF_STRATUM);
  const kept = counted.reduce((sum, one) => sum + least(one.total), 0);
  const rest = total - kept;
  const share = rest === 0 ? 0 : Math.max(0, most - kept) / rest;
  return counted.map((one) => {
    const chosen = least(one.total) + (one.total - least(one.total)) * share;
    return { ...one, part: Math.min(1, chosen / one.total) };
  });
}

/** How many decisions of the period one of a sample stands for. */
export function weightIn(
  strata: readonly Stratum[],
  of: { readonly entrypoint: string; readonly decision: { readonly outcome: string } },
): number {
  const stratum = strata.find(
    ({ entrypoint, outcome }) => entrypoint === of.entrypoint && outcome === of.decision.outcome,
  );
  return stratum === undefined || stratum.part <= 0 ? 1 : 1 / stratum.part;
}

export const totalOf = (strata: readonly Stratum[]): number => strata.reduce((sum, { total }) => sum + total, 0);

/** True if a part of the period stands for all of it. */
export const isSample = (strata: readonly Stratum[]): boolean => strata.some(({ part }) => part < 1);
