import { MAX_RESULT_VALUES } from '#lib/canonical';
import { newId } from '#lib/kernel';
import { reportedOutcome } from './reported-outcome.js';

const ROWS = Array<number>(MAX_RESULT_VALUES - 1).fill(0);
const report = (result: number[]) =>
  reportedOutcome({ jti: newId(), arguments_digest: 'sha256:0', outcome: 'succeeded', result });

it('takes the largest result that an evidence pack has room for, and refuses a larger one', () => {
  expect(report(ROWS)).toEqual({ kind: 'succeeded', result: ROWS });
  expect(() => report([...ROWS, 0])).toThrow(
    expect.objectContaining({
      failure: expect.objectContaining({ code: 'report.too_many_values' }) as object,
    }) as Error,
  );
});
