import { CONFIRM_WORD, type Decision } from '#lib/formats';
import { newId, type SessionId } from '#lib/kernel';
import { requestIn } from '../../../../../test/support/approval-samples.js';
import { sampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { sampleCall } from '../application/fake-call.js';
import { sampleSubject } from '../application/fake-subject.js';
import type { ApprovalSubject } from './approval-subject.js';
import { fittingAnswer, shapeOfAlways, wordOfAnswer } from './fitting-answer.js';

const tenant = sampleTenant();
const NO_AUTONOMY = { revisionId: null, facts: null };
const inSession = sampleCall(tenant, NO_AUTONOMY, 0, { sessionId: newId<SessionId>() });
const outside = sampleCall(tenant, NO_AUTONOMY, 0);
const plan = sampleSubject(tenant, 0);

const { decision: asked } = requestIn('open');
const asking = (codes: readonly string[], more: Partial<Decision['obligations']> = {}) => ({
  decision: {
    ...asked,
    reasons: codes.map((code) => ({ code, message: code, rule: 'countersign' })),
    obligations: { ...asked.obligations, ...more },
  },
});
const bySession = asking(['session.mode', 'session.level']);
const destructive = asking(['session.mode'], { confirm_word: CONFIRM_WORD });

const answered = (
  request: typeof bySession,
  subject: ApprovalSubject,
  given: Parameters<typeof fittingAnswer>[2],
): string => {
  const fits = fittingAnswer(request, subject, given);
  return fits.ok ? 'ok' : fits.error.code;
};

describe('the typed word of an answer', () => {
  it.each([
    ['an approval with it', { verdict: 'approve', confirm_word: CONFIRM_WORD }, 'ok'],
    ['an approval without it', { verdict: 'approve' }, 'review.confirm_word_required'],
    ['an approval with another one', { verdict: 'approve', confirm_word: 'confirm' }, 'review.confirm_word_required'],
    ['a rejection without it', { verdict: 'reject' }, 'ok'],
  ] as const)('is asked for where the decision obliges to it: %s', (_title, given, expected) => {
    expect(answered(destructive, inSession, given)).toBe(expected);
    expect(answered(destructive, plan, given)).toBe(expected);
  });

  it('is named in the refusal, with its member', () => {
    expect(fittingAnswer(destructive, inSession, { verdict: 'approve' })).toMatchObject({
      error: {
        message: `This call destroys something. It is approved only with the word ${CONFIRM_WORD}.`,
        errors: [
          { pointer: '/confirm_word', code: 'review.confirm_word_required', message: `must be ${CONFIRM_WORD}` },
        ],
      },
    });
  });

  it('is needed by no other request', () => {
    expect(answered(bySession, inSession, { verdict: 'approve' })).toBe('ok');
  });

  it('is on record of an approval alone', () => {
    expect(wordOfAnswer(destructive, { verdict: 'approve' })).toBe(CONFIRM_WORD);
    expect(wordOfAnswer(destructive, { verdict: 'reject' })).toBeNull();
    expect(wordOfAnswer(bySession, { verdict: 'approve' })).toBeNull();
  });
});

describe('an approval that holds for later calls', () => {
  it.each([
    ['holds', 'the session alone asks', bySession, inSession],
    ['is refused', 'the autonomy of the tenant asks, too', asking(['session.mode', 'approval.required']), inSession],
    ['is refused', 'the call is outside a session', bySession, outside],
    ['is refused', 'a plan is asked about', bySession, plan],
    ['is refused', 'it takes a typed word', destructive, inSession],
  ] as const)('%s if %s', (expected, _title, request, subject) => {
    const word = { confirm_word: CONFIRM_WORD };
    const code = expected === 'holds' ? 'ok' : 'review.always_not_here';
    expect(answered(request, subject, { verdict: 'approve', always: true, ...word })).toBe(code);
    expect(answered(request, subject, { verdict: 'approve', always: false, ...word })).toBe('ok');
    expect(shapeOfAlways(request, subject)).toBe(expected === 'holds' ? inSession.shape : null);
  });

  it('is no rejection', () => {
    expect(answered(bySession, inSession, { verdict: 'reject', always: true })).toBe('review.always_not_here');
  });

  it('is refused for a call without a shape', () => {
    const shapeless = { ...inSession, shape: null };
    expect(answered(bySession, shapeless, { verdict: 'approve', always: true })).toBe('tool_call.no_shape');
    expect(shapeOfAlways(bySession, shapeless)).toBeNull();
  });

  it.each([
    ['review.always_not_here', outside],
    ['tool_call.no_shape', { ...inSession, shape: null }],
  ] as const)('is refused at its member: %s', (code, subject) => {
    expect(fittingAnswer(bySession, subject, { verdict: 'approve', always: true })).toMatchObject({
      error: { errors: [{ pointer: '/always', code }] },
    });
  });
});
