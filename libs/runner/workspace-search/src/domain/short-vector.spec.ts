import { nearness, shortVector } from './short-vector.js';

const unit = (...parts: readonly number[]): Float32Array =>
  Float32Array.from(parts, (part) => part / Math.hypot(...parts));

describe('a vector in short numbers', () => {
  it.each([
    [unit(1, 2, 3), unit(1, 2, 3)],
    [unit(1, 2, 3), unit(3, -2, 1)],
    [unit(0.001, -0.002, 1), unit(-1, 0.5, -0.25)],
  ])('has nearly the direction of %j', (one, other) => {
    const exact = one.reduce((sum, part, at) => sum + part * (other[at] ?? 0), 0);
    expect(nearness(one, shortVector(other))).toBeCloseTo(exact, 2);
  });

  it('is near to nothing of another model', () => {
    expect(nearness(unit(1, 2), shortVector(unit(1, 2, 3)))).toBe(-1);
    expect(nearness(unit(1, 2), Int8Array.of(0, 0))).toBe(-1);
  });
});
