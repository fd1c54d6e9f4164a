import { distance } from 'fastest-levenshtein';

/** Longer words are compared by their beginning: comparing takes time in the product of two lengths. */
const MAX_COMPARED = 128;

/** The known word that `word` probably stands for: the nearest one, if it is near enough. */
export function closest(word: string, known: readonly string[]): string | undefined {
  const given = word.slice(0, MAX_COMPARED).toLowerCase();
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const far = distance(given, candidate.slice(0, MAX_COMPARED).toLowerCase());
    if (far < least) {
      best = candidate;
      least = far;
    }
  }
  return best !== undefined && least <= Math.max(2, Math.floor(best.length / 3)) ? best : undefined;
}
