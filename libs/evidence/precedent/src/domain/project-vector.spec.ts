import { vectorOf } from '../../../../../test/support/test-embedder.js';
import { POINT_DIMENSIONS, projectVector } from './project-vector.js';

function unit(vector: readonly number[]): Float32Array {
  const length = Math.hypot(...vector);
  return Float32Array.from(vector, (part) => part / length);
}
function distance(one: ArrayLike<number>, other: ArrayLike<number>): number {
  let squares = 0;
  for (let at = 0; at < one.length; at += 1) squares += ((one[at] ?? 0) - (other[at] ?? 0)) ** 2;
  return Math.sqrt(squares);
}

describe('a point', () => {
  it('is the vector itself, if that is no longer', () => {
    expect(projectVector(Float32Array.of(0.5, -0.5))).toEqual([
      0.5,
      -0.5,
      ...new Array<number>(POINT_DIMENSIONS - 2).fill(0),
    ]);
  });

  it('is as far from another one as their vectors are, nearly', () => {
    const vectors = Array.from({ length: 40 }, (_, at) => unit(vectorOf(`text number ${String(at)}`, 1_536)));
    const points = vectors.map(projectVector);
    const errors = vectors.flatMap((one, at) =>
      vectors.slice(at + 1).map((other, after) => {
        const [there, here] = [distance(one, other), distance(points[at] ?? [], points[at + 1 + after] ?? [])];
        return Math.abs(here / there - 1);
      }),
    );
    expect(points.every((point) => point.length === POINT_DIMENSIONS)).toBe(true);
    expect(errors.reduce((sum, each) => sum + each, 0) / errors.length).toBeLessThan(0.1);
    expect(Math.max(...errors)).toBeLessThan(0.35);
  });

  it('stays the same for ever: stored points depend on it', () => {
    const point = projectVector(unit(vectorOf('restart the queue', 256)));
    expect(point.slice(0, 4).map((part) => part.toFixed(6))).toMatchInlineSnapshot(`
     [
       "0.018320",
       "0.102187",
       "-0.046702",
       "-0.027161",
     ]
    `);
  });
});
