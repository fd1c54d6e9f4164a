import { mayRetryCompensation } from './retry-policy.js';

it('a call that undoes a step is tried three times if it is idempotent, and there is one', () => {
  const idempotent = { idempotent: true };
  expect([2, 3].map((failures) => mayRetryCompensation({ compensation: idempotent, failures }))).toEqual([true, false]);
  expect(mayRetryCompensation({ compensation: { idempotent: false }, failures: 0 })).toBe(false);
  expect(mayRetryCompensation({ compensation: null, failures: 0 })).toBe(false);
});
