/** The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009). */
const K = 60;

/**
 * At most so many precedents that have every word come first: as many as a page shows. With more of them, an agent's
 * own goals could hide a failure that is told in other words.
 */
const MAX_FIRST = 5;

/** A rank in a ranking, from 1. */
export interface RankedPrecedent {
  readonly id: string;
  readonly rank: number;
}

/** A rank by words. */
export interface RankedByWords extends RankedPrecedent {
  /** Whether it has every word of the question, or one that is the same but for a typing error. */
  readonly whole: boolean;
}

export interface Fused {
  readonly id: string;
  /** The sum of 1 / (60 + rank) over the rankings that hold it; ranks begin at 1. */
  readonly score: number;
}

/** Fuses rankings, best first. Of two with one score the newer comes first: ids are UUIDv7. */
export function fuseRankings(rankings: readonly (readonly RankedPrecedent[])[]): readonly Fused[] {
  const scores = new Map<string, number>();
  for (const ranking of rankings)
    for (const { id, rank } of ranking) scores.set(id, (scores.get(id) ?? 0) + 1 / (K + rank));
  return [...scores]
    .map(([id, score]) => ({ id, score }))
    .sort((one, other) => other.score - one.score || (one.id < other.id ? 1 : -1));
}

/**
 * Words and meaning ask the same in two ways, and count as one ranking. Of its two ranks, the better one counts. Those
 * by meaning count as in a list of both by turns, which begins with the words. The first precedents that have every
 * word of the question stand above those that only mean the same. A model that does not know a name or a misspelt word
 * puts others of the same topic first.
 */
export function betterRanks(
  words: readonly RankedByWords[],
  meaning: readonly RankedPrecedent[],
): readonly RankedPrecedent[] {
  const whole = new Set(words.filter((one) => one.whole).map(({ id }) => id));
  const ranks = new Map(words.map(({ id, rank }) => [id, rank]));
  const first = Math.min(whole.size, MAX_FIRST);
  for (const { id, rank } of meaning) {
    const meant = 2 * rank + (whole.has(id) ? 0 : first);
    ranks.set(id, Math.min(meant, ranks.get(id) ?? meant));
  }
  return [...ranks].map(([id, rank]) => ({ id, rank }));
}
