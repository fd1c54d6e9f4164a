import { newId, type PlanId, type SessionId, type TaskId, type ToolCallId } from '#lib/kernel';
import {
  APPROVAL_EXPIRES_AT,
  APPROVED_AT,
  EXPIRES_AT,
  OPENED_AT,
  requestIn,
} from '../../../../../test/support/approval-samples.js';
import {
  approvalOf,
  belongsTo,
  callKey,
  deadlineOf,
  decidedAbout,
  isDue,
  planKey,
  rolesBefore,
  subjectInWords,
  type AskedSubject,
} from './approval-request.js';

const [taskId, planId, sessionId, callId] = [newId<TaskId>(), newId<PlanId>(), newId<SessionId>(), newId<ToolCallId>()];
const plan: AskedSubject = { type: 'plan', id: planId, taskId, simulationId: null, phases: 'all' };
const call = (session: SessionId | null): AskedSubject => ({ type: 'tool_call', id: callId, sessionId: session });

describe('the records that a request belongs to', () => {
  it.each<[string, AskedSubject, readonly object[]]>([
    [
      'a plan: its task and the plan',
      plan,
      [
        { type: 'task', id: taskId },
        { type: 'plan', id: planId },
      ],
    ],
    [
      'a call of a session: the session and the call',
      call(sessionId),
      [
        { type: 'session', id: sessionId },
        { type: 'tool_call', id: callId },
      ],
    ],
    ['a call by itself: the call', call(null), [{ type: 'tool_call', id: callId }]],
  ])('of %s', (_title, subject, records) => {
    expect(belongsTo(subject)).toEqual(records);
    const request = { ...requestIn('open'), subject };
    const own = { type: 'approval_request', id: request.id };
    expect(decidedAbout(request)).toEqual({ subject: own, within: [...records, own] });
  });
});

it('is found by the kind and the id of its subject', () => {
  expect(planKey(planId)).toEqual({ type: 'plan', id: planId });
  expect(callKey(callId)).toEqual({ type: 'tool_call', id: callId });
});

it('names its subject in a word', () => {
  expect([subjectInWords(plan), subjectInWords(call(null))]).toEqual(['plan', 'call']);
});

it.each([
  ['open', EXPIRES_AT],
  ['approved', APPROVAL_EXPIRES_AT],
  ['consumed', null],
  ['denied', null],
  ['changes_requested', null],
  ['expired', null],
  ['voided', null],
] as const)('has a deadline only while it is undecided or unused: %s', (state, deadline) => {
  const request = requestIn(state);
  expect(deadlineOf(request)).toBe(deadline);
  expect(isDue(request, deadline ?? Number.MAX_SAFE_INTEGER)).toBe(deadline !== null);
  expect(isDue(request, (deadline ?? 0) - 1)).toBe(false);
});

it.each(['approved', 'consumed'] as const)(
  'has its approval while it is %s, and as it was if it ended unused',
  (state) => {
    const approval = { approvedAt: APPROVED_AT, approvalExpiresAt: APPROVAL_EXPIRES_AT };
    expect(approvalOf(requestIn(state))).toMatchObject(approval);
    const closed = { closedAt: APPROVED_AT, closedReason: { code: 'c', message: 'm' } };
    expect(approvalOf({ ...requestIn('open'), ...closed, state: 'voided', approval })).toBe(approval);
  },
);

it.each(['open', 'denied', 'changes_requested'] as const)('has no approval if it is %s', (state) => {
  expect(approvalOf(requestIn(state))).toBeNull();
});

it('counts no role that somebody gained since the request opened (T03)', () => {
  const held = [OPENED_AT - 1, OPENED_AT, OPENED_AT + 1].map((assignedAt) => ({ role: 'SRELead', assignedAt }));
  expect(rolesBefore(held, OPENED_AT)).toEqual([held[0]]);
});
