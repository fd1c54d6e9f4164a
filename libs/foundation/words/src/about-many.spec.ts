import { aboutMany, partOf, thousands, upToMost } from './about-many.js';

describe('thousands', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1_000, '1,000'],
    [61_200, '61,200'],
    [1_234_567, '1,234,567'],
  ])('%d is %s', (value, text) => {
    expect(thousands(value)).toBe(text);
  });
});

describe('a sentence about many things', () => {
  it.each([
    ['exact without a sample', 12, 12, '12'],
    ['exact if everything was looked at', 5_000, 5_000, '5,000'],
    ['two digits of an estimate', 101, 1_236.4, 'about 1,200'],
    ['a small estimate', 1, 7.4, 'about 7'],
    ['never below the count', 1_240, 1_241.2, 'about 1,240'],
  ])('%s', (_what, count, estimate, text) => {
    expect(aboutMany(count, estimate)).toBe(text);
  });
});

describe('a part of many things', () => {
  it.each([
    [0, 0, 'none'],
    [7, 7, '7'],
    [0, 7.4, 'about 7'],
  ])('%d for %d is %s', (count, estimate, text) => {
    expect(partOf(count, estimate)).toBe(text);
  });
});

describe('a bounded list in words', () => {
  it.each([
    [1, '1'],
    [1_000, '1,000'],
    [1_001, 'more than 1,000'],
  ])('%d is %s', (count, text) => {
    expect(upToMost(count)).toBe(text);
  });
});
