import fc from 'fast-check';
import type { ApprovalSlot, Decision, Obligations } from '#lib/formats';
import { isLooser } from '#lib/policy';
import {
  becameStricter,
  brokenGlass,
  callWithdrawn,
  changedUnderneath,
  databaseRestored,
  endsApproval,
  planSuperseded,
  planWithdrawn,
  refusedAtStart,
  requestWithdrawn,
  reviewerDisabled,
  reviewerLostRole,
  taskCancelled,
} from './closed-reasons.js';

const slot = (count: number, ...roles: string[]): ApprovalSlot => ({ count, roles });

const asking = (obligations: Partial<Obligations> = {}): Decision => ({
  outcome: 'require_approval',
  reasons: [
    { code: 'approval.required', message: 'Tool execute_rollout_prod requires approved plan', rule: 'countersign' },
  ],
  obligations: {
    approvals: [slot(2, 'SRELead')],
    mfa: false,
    phases: 'all',
    audit_level: 'full',
    valid_minutes: 60,
    ...obligations,
  },
  effective: { mode: 'full_auto', source: 'mode' },
});

const MORE = 'Policy or autonomy asks for more than when the request was opened: ';

describe('the reason of a stricter policy', () => {
  it.each<[string, Partial<Obligations>, string[], string]>([
    ['a second factor', { mfa: true }, ['mfa'], 'a second factor is asked for now'],
    [
      'a person more',
      { approvals: [slot(3, 'SRELead')] },
      ['approvals'],
      'it now asks for 3 of SRELead instead of 2 of SRELead',
    ],
    [
      'another role, too',
      { approvals: [slot(2, 'SRELead'), slot(1, 'SecurityReviewer', 'PlatformAdmin')] },
      ['approvals'],
      'it now asks for 2 of SRELead, and 1 of SecurityReviewer or PlatformAdmin instead of 2 of SRELead',
    ],
    ['the canary only', { phases: 'canary' }, ['phases'], 'no more than the canary phases may run now'],
    [
      'a shorter life',
      { valid_minutes: 1 },
      ['valid_minutes'],
      'an approval is now good for 1 minute instead of 1 hour',
    ],
    [
      'several at once, and one that is milder',
      { mfa: true, approvals: [slot(3, 'any')], valid_minutes: 90 },
      ['approvals', 'mfa'],
      'it now asks for 3 of any role instead of 2 of SRELead; a second factor is asked for now',
    ],
  ])('says what is asked for more: %s', (_what, today, stricter, said) => {
    expect(becameStricter(asking(), asking(today))).toEqual({
      code: 'approval.stricter',
      message: `${MORE}${said}`,
      details: { reasons: ['approval.required'], stricter },
    });
  });

  it('gives the reasons of a refusal of today instead of the obligations', () => {
    const reasons = [
      { code: 'autonomy.plan_only', message: 'Nothing is executed in plan_only', rule: 'countersign.autonomy' },
      { code: 'simulation.stale', message: 'Simulate again', rule: 'countersign.simulation' },
    ];
    expect(becameStricter(asking(), { ...asking({ mfa: true }), outcome: 'deny', reasons })).toEqual({
      code: 'approval.stricter',
      message: 'Policy does not let this be asked for any more: Nothing is executed in plan_only; Simulate again',
      details: { reasons: ['autonomy.plan_only', 'simulation.stale'] },
    });
  });

  it('names something if the terms of today void the request', () => {
    const roles = fc.subarray(['SRELead', 'SecurityReviewer', 'any'], { minLength: 1 });
    const decisions = fc
      .record({
        approvals: fc.array(fc.record({ count: fc.integer({ min: 1, max: 3 }), roles }), {
          minLength: 1,
          maxLength: 3,
        }),
        mfa: fc.boolean(),
        phases: fc.constantFrom('all' as const, 'canary' as const),
        valid_minutes: fc.constantFrom(30, 60),
      })
      .map(asking);
    fc.assert(
      fc.property(decisions, decisions, (before, today) => {
        const { details } = becameStricter(before, today);
        expect(details?.stricter !== undefined).toBe(isLooser(today, before));
      }),
    );
  });
});

const denied = (...codes: string[]): Decision => ({
  ...asking(),
  outcome: 'deny',
  reasons: codes.map((code) => ({ code, message: `no: ${code}`, rule: 'countersign.test' })),
});

describe('a deny at the start', () => {
  it.each<[ends: boolean, codes: string[]]>([
    [false, ['halt.active']],
    [false, ['freeze.active', 'policy.unavailable']],
    [true, ['simulation.stale']],
    [true, ['halt.active', 'simulation.stale']],
    [false, []],
  ])('ends the approval: %s, for %j', (ends, codes) => {
    expect(endsApproval(denied(...codes))).toBe(ends);
  });

  it('closes the request with the first reason that does not pass', () => {
    expect(refusedAtStart(denied('halt.active', 'simulation.stale'))).toEqual({
      code: 'simulation.stale',
      message: 'no: halt.active; no: simulation.stale',
      details: { reasons: ['halt.active', 'simulation.stale'] },
    });
    expect(refusedAtStart(denied('halt.active')).code).toBe('policy.denied');
  });
});

test('a request that a restored database or a break-glass closed says which', () => {
  expect(databaseRestored(2)).toMatchObject({ code: 'approval.database_restored', details: { epoch: '2' } });
  expect(brokenGlass('incident')).toMatchObject({
    code: 'approval.break_glass',
    details: { incident_id: 'incident' },
  });
});

test('a reviewer who counts no more is named', () => {
  const details = { person_ids: ['ada'] };
  expect(reviewerDisabled(['ada'])).toMatchObject({ code: 'approval.reviewer_disabled', details });
  expect(reviewerLostRole(['ada'])).toMatchObject({ code: 'approval.role_lost', details });
});

test('a changed binding is told by its members and names', () => {
  const differences = [
    { member: 'tools', names: ['patch@1'] },
    { member: 'environment', names: [] },
  ] as unknown as Parameters<typeof changedUnderneath>[0];
  expect(changedUnderneath(differences)).toMatchObject({
    code: 'approval.binding_changed',
    details: { changed: ['tools', 'environment'], names: ['patch@1'] },
  });
});

test('each request that is not wanted any more has the code of its reason', () => {
  expect([planSuperseded, planWithdrawn, taskCancelled, requestWithdrawn].map(({ code }) => code)).toEqual([
    'approval.plan_superseded',
    'approval.plan_withdrawn',
    'approval.task_cancelled',
    'approval.withdrawn',
  ]);
  expect(callWithdrawn).toMatchObject({
    withdrawn: { code: 'approval.call_withdrawn' },
    session_ended: { code: 'approval.session_ended' },
    halted: { code: 'approval.halted' },
    agent_disabled: { code: 'approval.agent_disabled' },
  });
});
