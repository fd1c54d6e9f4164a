import { newId, type IncidentId, type PlanId } from '#lib/kernel';
import type { PlanSuperseded } from '#lib/plan';
import type { ApprovalRequest } from '../domain/approval-request.js';
import { FakeApprovalWorld, valueOf, type PlanRequest } from './fake-approval-world.js';

let world: FakeApprovalWorld;
beforeEach(() => {
  world = new FakeApprovalWorld();
});

const superseded = ({ subject }: PlanRequest, more: Partial<PlanSuperseded> = {}): Promise<void> =>
  world.inTx((tx) =>
    world.voiding.planSuperseded(tx, {
      planId: subject.id,
      taskId: subject.taskId,
      cause: 'withdrawn',
      supersededBy: null,
      principal: world.tenant.agent,
      at: world.uow.now,
      ...more,
    }),
  );
const reasonOf = async ({ id }: ApprovalRequest): Promise<unknown> => {
  const request = await world.find(id);
  return [request.state, 'closedReason' in request ? request.closedReason.code : null];
};

describe('T01: a plan that stops being live', () => {
  it.each([
    ['superseded', 'approval.plan_superseded'],
    ['withdrawn', 'approval.plan_withdrawn'],
    ['task_cancelled', 'approval.task_cancelled'],
  ] as const)('%s: its open or approved request is voided', async (cause, code) => {
    for (const request of [await world.asked(), await world.approved()]) {
      await superseded(request, { cause });
      expect(await reasonOf(request)).toEqual(['voided', code]);
      expect(world.audited.at(-1)).toMatchObject({ action: 'approval_request.voided' });
    }
  });

  it('names the revision that took its place', async () => {
    const request = await world.asked();
    const supersededBy = newId<PlanId>();
    await superseded(request, { cause: 'superseded', supersededBy });
    expect(await world.find(request.id)).toMatchObject({ closedReason: { details: { superseded_by: supersededBy } } });
  });

  it('records a request past its time limit as expired, and touches no other plan', async () => {
    const [late, closed] = [await world.asked(), await world.asked()];
    valueOf(await world.review(world.person('SRELead'), closed, 'reject'));
    world.uow.now = late.expiresAt;
    const other = await world.asked();
    await superseded(late);
    await superseded(closed);
    expect(await reasonOf(late)).toEqual(['expired', 'approval.expired_undecided']);
    expect(await reasonOf(closed)).toEqual(['denied', 'approval.rejected']);
    expect(await reasonOf(other)).toEqual(['open', null]);
  });
});

it('T16: break-glass ends an open or approved request', async () => {
  const incidentId = newId<IncidentId>();
  const [open, approved, late] = [await world.asked(), await world.approved(), await world.asked()];
  const by = () => ({ incidentId, principal: world.tenant.owner, at: world.uow.now });
  const breakGlass = ({ subject }: ApprovalRequest) =>
    world.inTx(async (tx) => {
      const live = await world.requests.lockLive(tx, subject);
      if (live === null) throw new Error('the plan has no live request');
      await world.voiding.glassBroken(tx, live, by());
    });
  for (const request of [open, approved]) await breakGlass(request);
  world.uow.now = late.expiresAt;
  await breakGlass(late);
  expect(await world.find(open.id)).toMatchObject({
    state: 'voided',
    closedReason: { code: 'approval.break_glass', details: { incident_id: incidentId } },
  });
  expect(await reasonOf(approved)).toEqual(['voided', 'approval.break_glass']);
  expect(await reasonOf(late)).toEqual(['expired', 'approval.expired_undecided']);
});

it('T30: a restore ends every approved request, and leaves open ones', async () => {
  const late = await world.approved();
  world.uow.now += 239 * 60_000;
  const [open, first, second] = [await world.asked(), await world.approved(), await world.approved()];
  world.uow.now += 60_000;
  const principal = { kind: 'system', tenantId: world.tenant.tenantId, name: 'restore' } as const;
  expect(await world.inTx((tx) => world.voiding.databaseRestored(tx, 7, principal))).toBe(3);
  for (const request of [first, second])
    expect(await world.find(request.id)).toMatchObject({
      state: 'voided',
      closedReason: { code: 'approval.database_restored', details: { epoch: '7' } },
    });
  expect(await reasonOf(late)).toEqual(['expired', 'approval.expired_unused']);
  expect(await reasonOf(open)).toEqual(['open', null]);
});
