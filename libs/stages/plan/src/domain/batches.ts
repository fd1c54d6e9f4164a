/**
 * How many targets a batch may have: the percentage of the plan's distinct targets, rounded down, and at least one.
 *
 * @param percent of the phase, or of the task if it asks for less.
 */
export const batchSize = (distinctTargets: number, percent: number): number =>
  Math.max(1, Math.floor((distinctTargets * percent) / 100));

/** The targets in batches of at most `size`, in their order. No targets make one batch: it is for the environment as a whole. */
export function splitBatches(targets: readonly string[], size: number): readonly (readonly string[])[] {
  if (targets.length === 0) return [[]];
  const count = Math.ceil(targets.length / size);
  return Array.from({ length: count }, (_, index) => targets.slice(index * size, (index + 1) * size));
}
