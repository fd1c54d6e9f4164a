/** The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009). */
const K = 60;

export interface Fused {
  readonly id: string;
  /** The sum of 1 / (60 + place) over the rankings that hold it; places begin at 1. */
  readonly score: number;
}

/** Fuses rankings, best first. Of two with one score the newer comes first: ids are UUIDv7. */
export function fuseRankings(rankings: readonly (readonly string[])[]): readonly Fused[] {
  const scores = new Map<string, number>();
  for (const ranking of rankings)
    for (const [index, id] of ranking.entries()) scores.set(id, (scores.get(id) ?? 0) + 1 / (K + index + 1));
  return [...scores]
    .map(([id, score]) => ({ id, score }))
    .sort((one, other) => other.score - one.score || (one.id < other.id ? 1 : -1));
}
