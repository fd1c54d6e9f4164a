import { isReasonLength, LONGEST_REASON, REASON_LENGTH, SHORTEST_REASON } from './reason-length.js';

it.each([
  [SHORTEST_REASON - 1, false],
  [SHORTEST_REASON, true],
  [LONGEST_REASON, true],
  [LONGEST_REASON + 1, false],
])('of %i characters is %s', (length, expected) => {
  expect(isReasonLength('x'.repeat(length))).toBe(expected);
});

it('is told in words', () => {
  expect(REASON_LENGTH).toBe('10 to 1,000 characters');
});
