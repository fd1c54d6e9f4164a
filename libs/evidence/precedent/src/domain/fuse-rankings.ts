/** The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009). */
const K = 60;

/** A place in a ranking, from 1. */
export interface Placed {
  readonly id: string;
  readonly place: number;
}

export interface Fused {
  readonly id: string;
  /** The sum of 1 / (60 + place) over the rankings that hold it; places begin at 1. */
  readonly score: number;
}

/** Fuses rankings, best first. Of two with one score the newer comes first: ids are UUIDv7. */
export function fuseRankings(rankings: readonly (readonly Placed[])[]): readonly Fused[] {
  const scores = new Map<string, number>();
  for (const ranking of rankings)
    for (const { id, place } of ranking) scores.set(id, (scores.get(id) ?? 0) + 1 / (K + place));
  return [...scores]
    .map(([id, score]) => ({ id, score }))
    .sort((one, other) => other.score - one.score || (one.id < other.id ? 1 : -1));
}

/**
 * Two rankings that ask the same in two ways, as one: of its two places, the better one counts. Those of the other one count as in a
 * list of both by turns, which begins with the first.
 */
export function betterPlaces(one: readonly Placed[], other: readonly Placed[]): readonly Placed[] {
  const places = new Map(one.map(({ id, place }) => [id, place]));
  for (const { id, place } of other) places.set(id, Math.min(2 * place, places.get(id) ?? 2 * place));
  return [...places].map(([id, place]) => ({ id, place }));
}
