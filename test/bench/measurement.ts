/** One result of a benchmark: ratios of ours to the other side, one a round, measured side by side. */
export interface Measurement {
  readonly name: string;
  /** The median. */
  readonly ratio: number;
  readonly min: number;
  readonly max: number;
  readonly rounds: number;
}

/** Rounds are at least five, so that one disturbed round does not make the median. */
export function measurementOf(name: string, ratios: readonly number[]): Measurement {
  if (ratios.length < 5) throw new Error(`${name}: ${String(ratios.length)} rounds are too few.`);
  const sorted = [...ratios].sort((a, b) => a - b);
  const at = (index: number): number => Number((sorted[index] ?? Number.NaN).toFixed(3));
  return {
    name,
    ratio: at(Math.floor(sorted.length / 2)),
    min: at(0),
    max: at(sorted.length - 1),
    rounds: sorted.length,
  };
}
