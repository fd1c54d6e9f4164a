import { APPROVAL_STATES, type ApprovalState } from '#lib/formats';
import { newId, type ToolCallId } from '#lib/kernel';
import {
  EXPIRES_AT,
  APPROVAL_EXPIRES_AT,
  APPROVED_AT,
  OPENED_AT,
  requestIn,
} from '../../../../../test/support/approval-samples.js';
import { isLive, type ApprovalRequest, type LiveRequest } from './approval-request.js';
import { APPROVAL_TRANSITIONS, type ApprovalEventName } from './approval-transitions.js';
import { consumed, decideApproval, expired, undecided, voided, type ApprovalEvent } from './decide-approval.js';

const reason = { code: 'test.reason', message: 'because of the test' };
const events: Readonly<Record<ApprovalEventName, ApprovalEvent>> = {
  approve: { name: 'approve' },
  deny: { name: 'deny', reason },
  request_changes: { name: 'request_changes', reason },
  expire: { name: 'expire' },
  void: { name: 'void', reason },
  consume: { name: 'consume' },
};
const names = Object.keys(events) as ApprovalEventName[];

/** While there is time; every cell is a next state or an exact code. */
const MATRIX: Readonly<Record<ApprovalState, Readonly<Record<ApprovalEventName, string>>>> = {
  open: {
    approve: 'approved',
    deny: 'denied',
    request_changes: 'changes_requested',
    expire: 'approval.not_due',
    void: 'voided',
    consume: 'approval.not_approved',
  },
  approved: {
    approve: 'approval.already_decided',
    deny: 'approval.already_decided',
    request_changes: 'approval.already_decided',
    expire: 'approval.not_due',
    void: 'voided',
    consume: 'consumed',
  },
  denied: {
    approve: 'approval.already_decided',
    deny: 'approval.already_decided',
    request_changes: 'approval.already_decided',
    expire: 'approval.already_decided',
    void: 'approval.already_decided',
    consume: 'approval.not_approved',
  },
  changes_requested: {
    approve: 'approval.already_decided',
    deny: 'approval.already_decided',
    request_changes: 'approval.already_decided',
    expire: 'approval.already_decided',
    void: 'approval.already_decided',
    consume: 'approval.not_approved',
  },
  expired: {
    approve: 'approval.expired',
    deny: 'approval.expired',
    request_changes: 'approval.expired',
    expire: 'approval.expired',
    void: 'approval.expired',
    consume: 'approval.expired',
  },
  voided: {
    approve: 'approval.voided',
    deny: 'approval.voided',
    request_changes: 'approval.voided',
    expire: 'approval.voided',
    void: 'approval.voided',
    consume: 'approval.voided',
  },
  consumed: {
    approve: 'approval.consumed',
    deny: 'approval.consumed',
    request_changes: 'approval.consumed',
    expire: 'approval.consumed',
    void: 'approval.consumed',
    consume: 'approval.consumed',
  },
};

const outcome = (state: ApprovalState, event: ApprovalEventName, now: number): string => {
  const decided = decideApproval(requestIn(state), events[event], now);
  return decided.ok ? decided.value.state : decided.error.code;
};

describe('the decision of an approval request', () => {
  const cells = APPROVAL_STATES.flatMap((state) => names.map((event) => [state, event] as const));

  it.each(cells)('%s × %s while there is time', (state, event) => {
    expect(outcome(state, event, APPROVED_AT)).toBe(MATRIX[state][event]);
  });

  it.each(cells)('%s × %s when the time is over', (state, event) => {
    const live = state === 'open' || state === 'approved';
    const legal = APPROVAL_TRANSITIONS.some((row) => row.from === state && row.event === event);
    const late = state === 'approved' ? APPROVAL_EXPIRES_AT : EXPIRES_AT;
    const wanted = live && legal ? (event === 'expire' ? 'expired' : 'approval.expired') : MATRIX[state][event];
    expect(outcome(state, event, late)).toBe(wanted);
  });

  it('agrees with the transition table in every cell', () => {
    for (const [state, event] of cells) {
      const row = APPROVAL_TRANSITIONS.find((one) => one.from === state && one.event === event);
      const now = event === 'expire' ? APPROVAL_EXPIRES_AT : APPROVED_AT;
      const decided = decideApproval(requestIn(state), events[event], now);
      expect(decided.ok ? decided.value.state : null).toBe(row?.to ?? null);
    }
  });

  it('is on time until the last millisecond', () => {
    expect(outcome('open', 'approve', EXPIRES_AT - 1)).toBe('approved');
    expect(outcome('open', 'approve', EXPIRES_AT)).toBe('approval.expired');
    expect(outcome('approved', 'consume', APPROVAL_EXPIRES_AT - 1)).toBe('consumed');
    expect(outcome('approved', 'consume', APPROVAL_EXPIRES_AT)).toBe('approval.expired');
  });

  it('an approval is good for as long as the decision said when the request opened', () => {
    const approved = decideApproval(requestIn('open'), { name: 'approve' }, OPENED_AT + 5_000);
    expect(approved).toMatchObject({
      ok: true,
      value: { approvedAt: OPENED_AT + 5_000, approvalExpiresAt: OPENED_AT + 3_605_000 },
    });
  });

  it.each([
    ['open', EXPIRES_AT, 'approval.expired_undecided'],
    ['approved', APPROVAL_EXPIRES_AT, 'approval.expired_unused'],
  ] as const)('of one that is %s says why it expired: %#', (state, at, code) => {
    expect(decideApproval(requestIn(state), events.expire, at)).toMatchObject({ value: { closedReason: { code } } });
  });

  it('keeps the approval of a request that is voided after it', () => {
    const voided = decideApproval(requestIn('approved'), { name: 'void', reason }, APPROVED_AT + 1);
    expect(voided).toMatchObject({
      ok: true,
      value: {
        state: 'voided',
        closedReason: reason,
        approval: { approvedAt: APPROVED_AT, approvalExpiresAt: APPROVAL_EXPIRES_AT },
      },
    });
    expect(voided.ok && 'approvedAt' in voided.value).toBe(false);
  });
});

describe('the refusal of an event', () => {
  const refusalIn = (state: ApprovalState) => {
    const decided = decideApproval(requestIn(state), events.consume, OPENED_AT);
    if (decided.ok) throw new Error('the event was taken');
    return decided.error;
  };

  it('says in which state the request is, and why it was voided', () => {
    const { closedReason } = { closedReason: { code: 'test.closed', message: 'closed by the test' } };
    expect(refusalIn('voided')).toMatchObject({
      message: 'The request was voided: closed by the test',
      details: { state: 'voided', reason: closedReason },
    });
    for (const state of ['expired', 'consumed', 'denied', 'open'] as const)
      expect(refusalIn(state).details).toEqual({ state });
  });

  it('says whether a run or a call has used the approval up', () => {
    const subject = { type: 'tool_call', id: newId<ToolCallId>(), sessionId: null } as const;
    const used = (request: ApprovalRequest) => decideApproval(request, events.consume, OPENED_AT);
    expect(used(requestIn('consumed'))).toMatchObject({
      error: { message: 'A run was started on this approval; it serves one run.' },
    });
    expect(used({ ...requestIn('consumed'), subject })).toMatchObject({
      error: { message: 'The call was made on this approval; it serves one call.' },
    });
  });
});

describe('an end that needs no verdict', () => {
  const live = (state: 'open' | 'approved'): LiveRequest => {
    const request = requestIn(state);
    if (!isLive(request)) throw new Error(`the sample is ${request.state}`);
    return request;
  };

  it('leaves a request in time, or closed, unexpired', () => {
    expect(expired(requestIn('open'), EXPIRES_AT - 1)).toBeNull();
    expect(expired(requestIn('approved'), APPROVAL_EXPIRES_AT - 1)).toBeNull();
    for (const state of ['denied', 'changes_requested', 'expired', 'voided', 'consumed'] as const)
      expect(expired(requestIn(state), APPROVAL_EXPIRES_AT)).toBeNull();
  });

  it.each([
    ['open', EXPIRES_AT],
    ['approved', APPROVAL_EXPIRES_AT],
  ] as const)('is an expiry for one that is %s and past its time', (state, deadline) => {
    const request = live(state);
    expect(expired(request, deadline)).toMatchObject({ state: 'expired', closedAt: deadline });
    expect(voided(request, reason, deadline)).toEqual(expired(request, deadline));
    expect(voided(request, reason, deadline - 1)).toMatchObject({ state: 'voided', closedReason: reason });
  });

  it('keeps the facts of an open request, which had no approval', () => {
    const request = live('open');
    const ended = { ...request, approval: null, closedAt: EXPIRES_AT - 1 };
    expect(voided(request, reason, EXPIRES_AT - 1)).toEqual({ ...ended, state: 'voided', closedReason: reason });
  });

  it('lets no run consume a request that is past its time', () => {
    const request = live('approved');
    if (request.state !== 'approved') throw new Error(`the sample is ${request.state}`);
    const inTime = consumed(request, APPROVAL_EXPIRES_AT - 1);
    expect(inTime).toEqual({ ...request, state: 'consumed', closedAt: APPROVAL_EXPIRES_AT - 1 });
    expect(consumed(request, APPROVAL_EXPIRES_AT)).toMatchObject({
      state: 'expired',
      closedReason: { code: 'approval.expired_unused' },
    });
  });
});

describe('a request that people can still decide', () => {
  it.each(APPROVAL_STATES)('is open and in time: %s', (state) => {
    const request = requestIn(state);
    const taken = undecided(request, EXPIRES_AT - 1);
    const approval = decideApproval(request, events.approve, EXPIRES_AT - 1);
    if (state === 'open') expect(taken).toEqual({ ok: true, value: request });
    else expect(taken).toEqual(approval);
  });

  it('is none past its time', () => {
    expect(undecided(requestIn('open'), EXPIRES_AT)).toMatchObject({ error: { code: 'approval.expired' } });
  });
});
