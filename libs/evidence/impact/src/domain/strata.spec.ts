import { MIN_OF_STRATUM, sampleOf, weightIn } from './strata.js';

const counted = [
  { entrypoint: 'tool_call', outcome: 'allow', total: 90_000 },
  { entrypoint: 'tool_call', outcome: 'deny', total: 9_900 },
  { entrypoint: 'break_glass', outcome: 'allow', total: 100 },
];

describe('the sampler of a report', () => {
  it('takes everything that fits', () => {
    expect(sampleOf(counted, 100_000).map(({ part }) => part)).toEqual([1, 1, 1]);
  });

  it('takes the least of each stratum, and an equal part of the rest', () => {
    const sample = sampleOf(counted, 10_000);
    const chosen = sample.map(({ total, part }) => Math.round(total * part));
    expect(chosen.reduce((sum, one) => sum + one, 0)).toBe(10_000);
    expect(chosen[2]).toBe(100);
    expect(Math.min(...chosen.slice(0, 2))).toBeGreaterThan(MIN_OF_STRATUM);
    expect((chosen[0] ?? 0) / (chosen[1] ?? 1)).toBeCloseTo(7.79, 2);
  });

  it('keeps the least of each stratum if even that is more', () => {
    expect(sampleOf(counted, 10).map(({ total, part }) => Math.round(total * part))).toEqual([200, 200, 100]);
  });
});

describe('the weight of a sampled decision', () => {
  it('is the number of decisions that one represents', () => {
    const strata = [{ entrypoint: 'plan', outcome: 'deny', total: 400, part: 0.25 }];
    expect(weightIn(strata, { entrypoint: 'plan', decision: { outcome: 'deny' } })).toBe(4);
    expect(weightIn([], { entrypoint: 'plan', decision: { outcome: 'deny' } })).toBe(1);
  });
});
