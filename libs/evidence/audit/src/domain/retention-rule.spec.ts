import { KEEP_FOR_EVER, loosenedRetention, outOfRange, shorterThanBelow } from './retention-rule.js';

const rule = { basic: 30, detailed: 90, full: 365, full_with_evidence: 730, critical: null };

describe('how long payloads are kept', () => {
  it('keeps a higher level at least as long as a lower one', () => {
    expect(shorterThanBelow(rule)).toBeUndefined();
    expect(shorterThanBelow(KEEP_FOR_EVER)).toBeUndefined();
    expect(shorterThanBelow({ ...rule, basic: 91 })).toBe('detailed');
    expect(shorterThanBelow({ ...rule, basic: null })).toBe('detailed');
    expect(shorterThanBelow({ ...rule, critical: 729 })).toBe('critical');
  });

  it.each([
    ['basic', 29],
    ['detailed', 29],
    ['full', 89],
    ['full_with_evidence', 364],
    ['critical', 729],
    ['critical', 36_501],
    ['full', 90.5],
  ] as const)('refuses %s for %s days', (level, days) => {
    expect(outOfRange({ ...KEEP_FOR_EVER, [level]: days })).toBe(level);
  });

  it('takes the minimum of each', () => {
    expect(outOfRange({ basic: 30, detailed: 30, full: 90, full_with_evidence: 365, critical: 730 })).toBeUndefined();
  });

  it('loosens if something is erased earlier, and not if it is kept longer', () => {
    expect(loosenedRetention(rule, { ...rule, basic: null, full: 400 })).toEqual([]);
    expect(loosenedRetention(rule, { ...rule, full: 364, critical: 730 })).toEqual([
      'payloads of the level full are erased after 364 days, not 365',
      'payloads of the level critical are erased after 730 days, and were kept for ever',
    ]);
  });
});
