import { isReasonLength, MAX_REASON, REASON_LENGTH, MIN_REASON } from './reason-length.js';

it.each([
  [MIN_REASON - 1, false],
  [MIN_REASON, true],
  [MAX_REASON, true],
  [MAX_REASON + 1, false],
])('of %i characters is %s', (length, expected) => {
  expect(isReasonLength('x'.repeat(length))).toBe(expected);
});

it('is told in words', () => {
  expect(REASON_LENGTH).toBe('10 to 1,000 characters');
});
