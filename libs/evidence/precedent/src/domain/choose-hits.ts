import type { Ending } from './ending.js';

/** Something found, best score first in a list. */
export interface Scored {
  readonly score: number;
  readonly ending: Ending;
  /** Whether it is the newest bad precedent of exactly the same shape: it needs no score. */
  readonly warns: boolean;
}

/** The part of the best score that a bad outcome needs, to stand above better hits. */
const NEAR_ENOUGH = 0.5;

/**
 * The hits to show: the best by score, with bad outcomes first. If none of them ended badly, the best bad outcome near enough
 * takes the last place. So does the newest bad outcome of the same shape, in any case. It says more than the tenth good
 * one.
 *
 * @param hits best score first.
 */
export function chooseHits<Hit extends Scored>(hits: readonly Hit[], most: number): readonly Hit[] {
  const chosen = hits.slice(0, most);
  const needed = (hits[0]?.score ?? 0) * NEAR_ENOUGH;
  const counts = (hit: Hit): boolean => hit.ending === 'bad' && (hit.warns || hit.score >= needed);
  const left = hits.slice(most);
  const missed = left.find(({ warns }) => warns) ?? (chosen.some(counts) ? undefined : left.find(counts));
  const shown = missed === undefined ? chosen : [...chosen.slice(0, most - 1), missed];
  return [...shown.filter(counts), ...shown.filter((hit) => !counts(hit))];
}
