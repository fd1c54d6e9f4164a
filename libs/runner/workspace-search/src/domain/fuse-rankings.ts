/** A way to rank the pieces of a workspace. */
export type Ranking = 'words' | 'structure' | 'spelling' | 'meaning';

/** A ranking that has a piece, and the terms of the piece that were matched. */
export interface RankedIn {
  readonly ranking: Ranking;
  /** Counted from 1. */
  readonly rank: number;
  readonly terms: readonly string[];
}

/** Reciprocal rank fusion: Cormack, Clarke and Büttcher, SIGIR 2009, found 60 to serve best. */
const K = 60;

/**
 * Makes one ranking of several: a piece scores 1 / (60 + rank) in each that has it. Of equal scores, the one that came first in a
 * ranking stays first.
 */
export function fuseRankings(
  rankings: readonly {
    readonly name: Ranking;
    readonly hits: readonly { readonly id: number; readonly terms: readonly string[] }[];
  }[],
): { readonly id: number; readonly score: number; readonly reasons: readonly RankedIn[] }[] {
  const found = new Map<number, RankedIn[]>();
  for (const { name, hits } of rankings)
    for (const [at, { id, terms }] of hits.entries())
      found.set(id, [...(found.get(id) ?? []), { ranking: name, rank: at + 1, terms }]);
  return [...found]
    .map(([id, reasons]) => ({
      id,
      score: reasons.reduce((sum, { rank }) => sum + 1 / (K + rank), 0),
      reasons: reasons.toSorted((a, b) => a.rank - b.rank),
    }))
    .sort((a, b) => b.score - a.score);
}
