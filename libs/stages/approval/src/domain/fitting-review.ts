import type { Verdict } from '#lib/formats';
import { err, ok, type Failure, type Result } from '#lib/kernel';
import type { AskedSubject } from './approval-request.js';

/**
 * Whether a verdict fits a subject of this kind. Without an approval the submitter of a plan needs to know the reason. A call
 * that people reject is over, and it has no revision that could be changed.
 *
 * @returns `approval.reason_missing`, `approval.verdict_not_for_call`.
 */
export function fittingReview(
  { type }: Pick<AskedSubject, 'type'>,
  { verdict, comment }: { readonly verdict: Verdict; readonly comment?: string | undefined },
): Result<void> {
  if (type === 'tool_call') return verdict === 'request_changes' ? err(notForCall) : ok(undefined);
  return verdict !== 'approve' && (comment ?? '').trim() === '' ? err(reasonMissing) : ok(undefined);
}

const reasonMissing: Failure = {
  kind: 'unprocessable',
  code: 'approval.reason_missing',
  message: 'The requester needs to know what to change, and you have not said it.',
  action: 'Say in a few words what is wrong, and decide again.',
  errors: [
    { pointer: '/comment', code: 'approval.reason_missing', message: 'is needed to reject or to request changes' },
  ],
};

const notForCall: Failure = {
  kind: 'unprocessable',
  code: 'approval.verdict_not_for_call',
  message: 'A call is approved or rejected: nobody can change it.',
  action: 'Reject it, and say in the comment what you would allow.',
  errors: [{ pointer: '/verdict', code: 'approval.verdict_not_for_call', message: 'must be approve or reject' }],
};
