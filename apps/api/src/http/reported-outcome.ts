import type { ReportAttemptBody } from '#lib/api-schemas';
import { countValues, MAX_RESULT_VALUES } from '#lib/canonical';
import type { DispatchOutcome } from '#lib/dispatch';
import { FailureError } from '#lib/kernel';

/**
 * The outcome in an agent's report.
 *
 * @throws {FailureError} `report.too_many_values`.
 */
export function reportedOutcome(body: ReportAttemptBody): DispatchOutcome {
  switch (body.outcome) {
    case 'succeeded':
      if (countValues(body.result, MAX_RESULT_VALUES) > MAX_RESULT_VALUES) throw tooManyValues();
      return { kind: 'succeeded', result: body.result };
    case 'failed':
      return { kind: 'failed', effect: body.effect, error: body.error };
    case 'unknown':
      return { kind: 'unknown', error: body.error };
  }
}

function tooManyValues(): FailureError {
  const [code, message] = [
    'report.too_many_values',
    `The result has more than ${MAX_RESULT_VALUES.toLocaleString('en')} values.`,
  ];
  return new FailureError({
    kind: 'unprocessable',
    code,
    message,
    action: 'Report a summary of the result.',
    errors: [{ pointer: '/result', code, message }],
  });
}
