import { newId, type ApprovalRequestId, type DecisionId } from '#lib/kernel';
import { sampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { sampleFacts, sampleProgress } from '../application/fake-tool-call.js';
import { hasAnswer, isAllowed, NO_ANSWER, resolved, standing, type CallOutcome } from './call-changes.js';
import { approved, denied } from './decide-tool-call.js';
import { ALLOWED_FOR_MS, isToSend, type CallExecutor, type ToolCall } from './tool-call.js';

const facts = sampleFacts(sampleTenant(), { decisionId: newId<DecisionId>() });
const PROGRESS = sampleProgress(null);
const call = (state: keyof typeof PROGRESS, more: Partial<ToolCall> = {}): ToolCall =>
  ({ ...facts, ...PROGRESS[state], ...more }) as ToolCall;
const pending = { ...facts, state: 'pending', requestId: newId<ApprovalRequestId>() } as const;
const answeredBy = (by: CallExecutor['answeredBy']): { readonly executor: CallExecutor } => ({
  executor: { name: 'fleet', version: 1, digest: 'sha256:0', answeredBy: by },
});
const STATES = Object.keys(PROGRESS) as readonly (keyof typeof PROGRESS)[];
const DENIAL = { code: 'test.denied', message: 'No.' };

describe('an answer of people', () => {
  it('lets a pending call be taken up for a while, or says why it is not made', () => {
    const { requestId } = pending;
    expect(approved(pending, 5)).toEqual({
      ...{ ...facts, requestId, state: 'allowed', decidedAs: 'approved', decidedAt: 5 },
      allowedUntil: 5 + ALLOWED_FOR_MS,
    });
    expect(denied(pending, { as: 'timeout', denial: DENIAL, at: 5 })).toEqual({
      ...{ ...facts, requestId, state: 'denied', decidedAs: 'timeout', denial: DENIAL, decidedAt: 5 },
    });
  });
});

describe('the answer of a call', () => {
  const { error } = PROGRESS.failed;
  const other = { ...error, message: 'Another.' };

  it.each<[string, ToolCall, CallOutcome, boolean]>([
    ['the same result', call('succeeded'), { kind: 'succeeded', result: { lines: 3 } }, true],
    ['another result', call('succeeded'), { kind: 'succeeded', result: { lines: 4 } }, false],
    ['an error after a result', call('succeeded'), { kind: 'failed', error }, false],
    ['the same error', call('failed'), { kind: 'failed', error }, true],
    ['another error', call('failed'), { kind: 'failed', error: other }, false],
    ['a result after an error', call('failed'), { kind: 'succeeded', result: null }, false],
    ['a lost answer after an error', call('failed'), { kind: 'unknown', error }, false],
    ['the same lost answer', call('unknown'), { kind: 'unknown', error }, true],
    ['another lost answer', call('unknown'), { kind: 'unknown', error: NO_ANSWER }, false],
    ['an error while it is in flight', call('executing'), { kind: 'failed', error }, false],
  ])('is known again: %s', (_what, kept, outcome, same) => {
    expect(hasAnswer(kept, outcome)).toBe(same);
  });
});

describe('an unknown call', () => {
  it('ends as a person found it, without a result', () => {
    expect(resolved(call('unknown'), 'succeeded', 9)).toMatchObject({
      value: { state: 'succeeded', result: null, finishedAt: 9 },
    });
    expect(resolved(call('unknown'), 'failed', 9)).toMatchObject({
      value: { state: 'failed', result: null, error: PROGRESS.unknown.error, finishedAt: 9 },
    });
  });

  it.each(STATES.filter((state) => state !== 'unknown'))('is none that is %s', (state) => {
    expect(resolved(call(state), 'succeeded', 9)).toMatchObject({
      error: {
        code: 'tool_call.not_unknown',
        action: state === 'executing' ? 'Wait for its answer.' : 'Nothing is to be done.',
        details: { state },
      },
    });
  });
});

describe('an allowed call', () => {
  const { allowedUntil } = PROGRESS.allowed;

  it('without an executor lapses by the clock alone', () => {
    expect(standing(call('allowed'), allowedUntil - 1).state).toBe('allowed');
    expect(standing(call('allowed'), allowedUntil)).toMatchObject({ state: 'expired', finishedAt: allowedUntil });
    expect(standing(call('allowed', answeredBy('executor')), allowedUntil).state).toBe('allowed');
    expect([allowedUntil - 1, allowedUntil].map((now) => isAllowed(call('allowed'), now))).toEqual([true, false]);
  });

  it.each([
    ['sends an allowed call of an executor', call('allowed', answeredBy('executor')), true],
    ['sends no call that its agent makes', call('allowed', answeredBy('agent')), false],
    ['sends no call without an executor', call('allowed'), false],
    ['sends no call that has left', call('executing', answeredBy('executor')), false],
  ])('Countersign %s', (_title, of, sends) => {
    expect(isToSend(of)).toBe(sends);
  });
});
