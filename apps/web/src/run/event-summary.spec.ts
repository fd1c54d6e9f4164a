import { summaryOf } from './event-summary.js';

it.each([
  [{ tool: 'restart@1', targets: ['a', 'b'], step_id: 'one' }, 'restart@1 on a, b · one'],
  [{ tool: 'restart@1', targets: ['a', 'b', 'c', 'd', 'e', 'f'] }, 'restart@1 on a, b, c, d and 2 more'],
  [{ reason: { code: 'run.halted', message: 'error budget' }, note: 'stop' }, 'error budget · stop'],
  [{ error: { message: 'refused' } }, 'refused'],
  [{ reason: null, targets: 7 }, ''],
  [{ shortened_for_demonstration_by: 0.02 }, 'shortened to 2 % for a demonstration'],
])('%j is told as %j', (data, told) => {
  expect(summaryOf({ data })).toBe(told);
});
