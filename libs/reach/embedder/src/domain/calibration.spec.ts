import { vectorOf } from '../../../../../test/support/test-embedder.js';
import { CALIBRATION, leastOf } from './calibration.js';

const unit = (vector: readonly number[]): Float32Array =>
  Float32Array.from(vector, (part) => part / Math.hypot(...vector));

describe('the cosine from which on vectors are similar', () => {
  it('lies between sentences of one meaning and those of different meanings', () => {
    const least = leastOf(CALIBRATION.map((text) => unit(vectorOf(text, 256)))) ?? 0;
    expect(least).toBeGreaterThan(0.2);
    expect(least).toBeLessThan(0.8);
  });

  it('rises with a model that puts everything near', () => {
    const shifted = CALIBRATION.map((text) => unit([...vectorOf(text, 256), 12]));
    const plain = CALIBRATION.map((text) => unit([...vectorOf(text, 256), 0]));
    expect(leastOf(shifted) ?? 0).toBeGreaterThan((leastOf(plain) ?? 1) + 0.1);
  });

  it('is none if the model tells nothing apart', () => {
    expect(leastOf(CALIBRATION.map(() => unit([1, 1])))).toBeNull();
    expect(leastOf(CALIBRATION.map((text, at) => unit([at, text.length])))).toBeNull();
  });
});
