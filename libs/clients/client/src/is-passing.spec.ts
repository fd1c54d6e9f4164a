import { isPassing, pauseMs, retryAfterOf } from './is-passing.js';

it.each([
  [0, 'connection.failed', true],
  [0, 'connection.answer_too_long', false],
  [409, 'idempotency.in_progress', true],
  [409, 'plan.over', false],
  [429, 'rate.limited', true],
  [500, 'internal.unexpected', false],
  [502, 'connection.unexpected_answer', true],
  [503, 'database.unavailable', true],
  [503, 'database.too_slow', false],
  [503, 'connection.answer_too_long', false],
  [504, 'connection.unexpected_answer', true],
])('a refusal with %i %s means "not now": %s', (status, code, expected) => {
  expect(isPassing({ status, code })).toBe(expected);
});

it.each([
  [1, undefined, 200, 400],
  [2, undefined, 400, 800],
  [20, undefined, 5_000, 10_000],
  [1, 3, 3_000, 3_200],
  [20, 3, 3_000, 8_000],
  [1, 0, 0, 200],
])('waits after %i failures, told %s seconds, from %i to %i ms', (failures, told, least, most) => {
  const random = jest.spyOn(Math, 'random').mockReturnValueOnce(0).mockReturnValueOnce(1);
  expect([pauseMs(failures, told), pauseMs(failures, told)]).toEqual([least, most]);
  random.mockRestore();
});

it.each([
  ['7', { retry_after_seconds: 7 }],
  ['', {}],
  ['-1', {}],
  ['Fri, 31 Dec 1999 23:59:59 GMT', {}],
])('reads Retry-After "%s"', (value, expected) => {
  expect(retryAfterOf(new Headers({ 'retry-after': value }))).toEqual(expected);
  expect(retryAfterOf(new Headers())).toEqual({});
});
