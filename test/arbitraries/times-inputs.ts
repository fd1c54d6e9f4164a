import { randomInt } from 'node:crypto';

/** `.ci/run` gives tests four times as many inputs as `npm test`. Each run has inputs of its own. */
const MAX_INPUTS = 4;
const FACTOR = Number(process.env.COUNTERSIGN_INPUTS_FACTOR ?? '1');

/** The inputs of a property, by their number in `npm test`. */
export const timesInputs = (count: number): number => count * FACTOR;

/** A quarter of the values with their indices, and others in each run; `.ci/run` has all of them. */
export function* someOf<T>(values: Iterable<T>): Generator<readonly [index: number, value: T]> {
  const first = randomInt(MAX_INPUTS);
  let index = 0;
  for (const value of values) {
    if ((first + index) % MAX_INPUTS < FACTOR) yield [index, value];
    index += 1;
  }
}
