import type { Freeze } from '#lib/formats';
import { digestOf, newId, type PersonPrincipal, type PlanId, type RunId } from '#lib/kernel';
import { planKey, type ApprovalRequest } from '../domain/approval-request.js';
import type { PlanSubject } from '../domain/approval-subject.js';
import { ApprovedPlan } from '../domain/approved-plan.js';
import { codeOf, FakeApprovalWorld, MINUTE, ofPlan, rules, valueOf } from './fake-approval-world.js';
import { simulationOf } from './fake-subject.js';

let world: FakeApprovalWorld;
let ada: PersonPrincipal;
let ben: PersonPrincipal;
beforeEach(() => {
  world = new FakeApprovalWorld();
  [ada, ben] = [world.person('SRELead'), world.person('SRELead')];
});

const approved = async (body: Parameters<typeof world.open.execute>[2] = { start: 'manual' }, by = [ada, ben]) => {
  const { request } = valueOf(await world.open.execute(world.tenant.agent, planKey(world.planned()), body));
  for (const person of by) valueOf(await world.review(person, request));
  return ofPlan(await world.find(request.id));
};
const stateOf = async ({ id }: ApprovalRequest): Promise<string> => (await world.find(id)).state;

describe('the authority to start', () => {
  it('is given on an approved request, with the approved plan', async () => {
    const request = await approved();
    const plan = valueOf(
      await world.inTx((tx) => world.authority.authorize(tx, request.subject.id, world.tenant.agent)),
    );
    expect(plan).toMatchObject({
      basis: 'approval',
      requestId: request.id,
      binding: request.binding,
      phases: 'all',
      at: world.uow.now,
    });
    expect(ApprovedPlan.isGenuine(plan)).toBe(true);
    expect(await stateOf(request)).toBe('approved');
  });

  it('serves one run', async () => {
    const request = await approved();
    const runId = newId<RunId>();
    const { agent } = world.tenant;
    await world.inTx(async (tx) => {
      const approved = valueOf(await world.authority.authorize(tx, request.subject.id, agent));
      await world.authority.consume(tx, approved, runId, agent);
    });
    expect(await stateOf(request)).toBe('consumed');
    expect(world.audited.at(-1)).toMatchObject({ action: 'approval_request.consumed', payload: { run_id: runId } });
    expect(await world.start(request.subject.id)).toBe('policy.denied approval.required');
  });

  it('is given on a request that its reviewer has just approved, with the subject of this request alone', async () => {
    const [request, other] = [await approved(), await approved()];
    if (request.state !== 'approved') throw new Error('it was approved');
    const start = (key: ApprovalRequest): Promise<unknown> =>
      world.inTx(async (tx) => {
        const subject = await world.subjects.read(tx, ofPlan(key).subject.id);
        if (subject === null) throw new Error('it has a subject');
        const held = await world.subjects.holdRequest(tx, request.id);
        if (held === null) throw new Error('it is held');
        const reviews = await held.reviews();
        const people = await world.people.standing(tx, held.reviewedBy);
        return valueOf(
          await world.authority.approved(tx, { request, reviews, subject, people, principal: ada, at: world.uow.now }),
        );
      });
    expect(await start(request)).toMatchObject({ basis: 'approval', requestId: request.id });
    await expect(start(other)).rejects.toThrow('the subject of another');
  });

  it('cannot be made up', async () => {
    const request = await approved();
    const forged = Object.create(ApprovedPlan.prototype) as ApprovedPlan;
    const { agent } = world.tenant;
    await expect(world.inTx((tx) => world.authority.consume(tx, forged, newId<RunId>(), agent))).rejects.toThrow(
      'authorized',
    );
    expect(await stateOf(request)).toBe('approved');
  });

  it('is not given before enough people have approved', async () => {
    const request = await world.asked();
    const refused = () => world.inTx((tx) => world.authority.authorize(tx, request.subject.id, world.tenant.agent));
    expect(await world.start(world.planned())).toBe('policy.denied approval.required');
    expect(await refused()).toMatchObject({
      ok: false,
      error: { action: expect.stringContaining(request.id) as unknown },
    });
    valueOf(await world.review(ada, request));
    expect(codeOf(await refused())).toBe('policy.denied approval.required');
    expect(await stateOf(request)).toBe('open');
  });

  it('is given by policy alone if it asks for no approval, unless the plan is outdated', async () => {
    const planId = world.planned({ tool: 'query_assets' });
    const approved = await world.inTx((tx) => world.authority.authorize(tx, planId, world.tenant.agent));
    expect(valueOf(approved)).toMatchObject({ basis: 'policy', requestId: null });
    world.changeSubject(planId, ({ environment }) => ({ environment: { ...environment, version: 2 } }));
    expect(await world.start(planId)).toBe('approval.plan_outdated');
  });

  it('is for a live plan of a task that waits', async () => {
    const request = await approved();
    world.changeSubject(request.subject.id, ({ task }) => ({ task: { ...task, state: 'executing' } }));
    expect(await world.start(request.subject.id)).toBe('approval.plan_not_executable');
    world.changeSubject(request.subject.id, ({ task, plan }) => ({
      task: { ...task, state: 'planned' },
      plan: { ...plan, state: 'withdrawn' },
    }));
    expect(await world.start(request.subject.id)).toBe('approval.plan_not_executable');
    expect(await world.start(newId<PlanId>())).toBe('resource.not_found');
  });

  it('waits for the time that was approved, for every requester', async () => {
    const start_at = new Date(world.uow.now + 30 * MINUTE).toISOString();
    const request = await approved({ start: 'at', start_at });
    for (const by of [world.tenant.agent, ben])
      expect(await world.start(request.subject.id, by)).toBe('approval.starts_later');
    world.uow.now += 30 * MINUTE;
    expect(await world.start(request.subject.id)).toBe('ok');
  });

  it('ends with the approval, by the clock', async () => {
    const request = await approved();
    world.uow.now += 240 * MINUTE;
    expect(await world.start(request.subject.id)).toBe('approval.expired');
    expect(await world.find(request.id)).toMatchObject({
      state: 'expired',
      closedReason: { code: 'approval.expired_unused' },
    });
  });

  it.each<[string, (subject: PlanSubject) => Partial<PlanSubject>]>([
    ['environment', ({ environment }) => ({ environment: { ...environment, version: 2 } })],
    ['tools', ({ registry }) => ({ registry: { ...registry, tools: new Map() } })],
    [
      'executors',
      ({ registry }) => ({
        registry: {
          ...registry,
          executors: new Map(
            [...registry.executors].map(([name, executor]) => [
              name,
              { ...executor, digest: digestOf('executor', { moved: true }) },
            ]),
          ),
        },
      }),
    ],
    ['simulation', ({ plan }) => ({ simulation: simulationOf(plan, world.uow.now, 'second') })],
  ])('T01: is refused once the %s changed, and the approval is voided', async (member, change) => {
    const request = await approved();
    world.changeSubject(request.subject.id, change);
    expect(await world.start(request.subject.id)).toBe('approval.binding_changed');
    expect(await world.find(request.id)).toMatchObject({
      state: 'voided',
      closedReason: { code: 'approval.binding_changed', details: { changed: [member] } },
    });
    expect(await world.start(request.subject.id)).not.toBe('ok');
  });
});

describe('T06: a person who approved it', () => {
  it('has lost the role, and does not get it back for this request', async () => {
    const [lost, regained] = [await approved(), await approved()];
    world.revokeRole(ben, 'SRELead');
    expect(await world.start(lost.subject.id)).toBe('policy.denied approval.role_lost');
    expect(await world.find(lost.id)).toMatchObject({ state: 'voided', closedReason: { code: 'approval.role_lost' } });
    world.assignRole(ben, 'SRELead');
    expect(await world.start(regained.subject.id)).toBe('policy.denied approval.role_lost');
  });

  it('is disabled', async () => {
    const request = await approved();
    world.changePerson(ben, () => ({ disabled: true }));
    expect(await world.start(request.subject.id)).toBe('approval.reviewer_disabled');
    expect(await world.find(request.id)).toMatchObject({
      state: 'voided',
      closedReason: { code: 'approval.reviewer_disabled', details: { person_ids: [ben.personId] } },
    });
  });

  it('stood in for a person who took the absence back since', async () => {
    const dan = world.person();
    const until = world.uow.now + 60 * MINUTE;
    const wish = { delegateId: dan.personId, roles: null, from: null, until };
    const { absence } = valueOf(await world.absences.begin(ada, wish));
    world.uow.now += 1;
    const [kept, taken] = [await approved(undefined, [dan, ben]), await approved(undefined, [dan, ben])];
    expect(await world.start(kept.subject.id)).toBe('ok');
    valueOf(await world.absences.end(ada, absence.id));
    expect(await world.start(taken.subject.id)).toBe('policy.denied approval.role_lost');
    expect(await stateOf(taken)).toBe('voided');
  });
});

describe('policy at the start', () => {
  it.each<[string, object]>([
    ['a third approver', { quorum: [{ count: 3, roles: ['SRELead'] }] }],
    ['another role', { allowed_approvers: ['SecurityReviewer'] }],
    ['a second factor', { require_mfa: true }],
    ['canary phases only', { mode: 'canary_only' }],
    ['nothing at all', { mode: 'plan_only' }],
    ['a shorter life', { approval_valid_minutes: 30 }],
  ])('T06: is stricter by now, %s: the approval is voided', async (_what, stricter) => {
    const request = await approved();
    world.autonomy(rules(stricter));
    expect(await world.start(request.subject.id)).toContain('policy.denied');
    expect(await stateOf(request)).toBe('voided');
  });

  it('is no stricter by an edit that does not concern it', async () => {
    const request = await approved();
    const { autonomy } = rules();
    world.autonomy({ autonomy: { ...autonomy, tool_overrides: { trigger_dr_failover: { mode: 'plan_only' } } } });
    expect(await world.start(request.subject.id)).toBe('ok');
  });

  it('is halted: the approval is left to its own time', async () => {
    const request = await approved();
    world.changeSubject(request.subject.id, () => ({ halts: [{ id: newId(), kind: 'tenant' }] }));
    expect(await world.start(request.subject.id)).toBe('policy.denied halt.active');
    expect(await stateOf(request)).toBe('approved');
    world.changeSubject(request.subject.id, () => ({ halts: [] }));
    expect(await world.start(request.subject.id)).toBe('ok');
  });
});

describe('a freeze', () => {
  const wall = (minutes: number): string => new Date(world.uow.now + minutes * MINUTE).toISOString().slice(0, 16);
  const freeze = (more: Partial<Freeze> = {}): void => {
    world.autonomy(
      rules({}, { freezes: [{ name: 'year-end', time_zone: 'UTC', from: wall(-60), until: wall(60), ...more }] }),
    );
  };
  const FROZEN = 'freeze.active freeze.active';

  it('refuses a start with its end, and leaves the approval to its own time', async () => {
    const request = await approved();
    freeze();
    const refused = await world.inTx((tx) => world.authority.authorize(tx, request.subject.id, world.tenant.agent));
    const until = new Date(world.uow.now + 60 * MINUTE).toISOString();
    expect(refused).toMatchObject({
      ok: false,
      error: { kind: 'conflict', code: 'freeze.active', details: { until } },
    });
    expect(await stateOf(request)).toBe('approved');
    world.uow.now += 60 * MINUTE;
    expect(await world.start(request.subject.id)).toBe('ok');
  });

  it.each<[string, () => Partial<Freeze>, string]>([
    ['of another environment', () => ({ environments: ['staging'] }), 'ok'],
    ['of this environment', () => ({ environments: ['production'] }), FROZEN],
    ['of another tool', () => ({ tools: ['trigger_dr_failover'] }), 'ok'],
    ['of its tool', () => ({ tools: ['execute_rollout_prod'] }), FROZEN],
    ['that is over', () => ({ until: wall(-30) }), 'ok'],
    ['that is to come', () => ({ from: wall(30) }), 'ok'],
  ])('%s', async (_which, more, expected) => {
    const request = await approved();
    freeze(more());
    expect(await world.start(request.subject.id)).toBe(expected);
  });

  it('is passed by a person who holds the role for it now', async () => {
    const request = await approved();
    freeze({ may_pass: ['SRELead'] });
    expect(await world.start(request.subject.id)).toBe(FROZEN);
    expect(await world.start(request.subject.id, world.person('DevOpsEngineer'))).toBe(FROZEN);
    const gone = world.person('SRELead');
    world.changePerson(gone, () => ({ disabled: true }));
    expect(await world.start(request.subject.id, gone)).toBe(FROZEN);
    expect(await world.start(request.subject.id, ada)).toBe('ok');
  });
});
