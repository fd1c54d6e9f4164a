import type { Verdict } from '#lib/formats';
import { fittingReview } from './fitting-review.js';

const codeOf = (type: 'plan' | 'tool_call', verdict: Verdict, comment?: string): string => {
  const fits = fittingReview({ type }, { verdict, comment });
  return fits.ok ? 'ok' : fits.error.code;
};

describe('a verdict', () => {
  it.each<[type: 'plan' | 'tool_call', verdict: Verdict, comment: string | undefined, expected: string]>([
    ['plan', 'approve', undefined, 'ok'],
    ['plan', 'reject', undefined, 'approval.reason_missing'],
    ['plan', 'reject', ' \n', 'approval.reason_missing'],
    ['plan', 'reject', 'no', 'ok'],
    ['plan', 'request_changes', '', 'approval.reason_missing'],
    ['plan', 'request_changes', 'no', 'ok'],
    ['tool_call', 'approve', undefined, 'ok'],
    ['tool_call', 'reject', undefined, 'ok'],
    ['tool_call', 'reject', 'no', 'ok'],
    ['tool_call', 'request_changes', 'no', 'approval.verdict_not_for_call'],
  ])('on a %s, %s with the comment %j: %s', (type, verdict, comment, expected) => {
    expect(codeOf(type, verdict, comment)).toBe(expected);
  });

  it.each([
    ['plan', 'reject', { pointer: '/comment', code: 'approval.reason_missing' }],
    ['tool_call', 'request_changes', { pointer: '/verdict', code: 'approval.verdict_not_for_call' }],
  ] as const)('on a %s, %s names the member at fault', (type, verdict, fault) => {
    expect(fittingReview({ type }, { verdict })).toMatchObject({ error: { errors: [fault] } });
  });
});
