import { APPROVAL_TRANSITIONS, type ApprovalRequest } from '#lib/approval';
import type { AutonomyDocument } from '#lib/contracts';
import {
  digestOf,
  newId,
  type AgentPrincipal,
  type PersonPrincipal,
  type Result,
  type SimulationId,
} from '#lib/kernel';
import { approvalWorld, valueOf, type ApprovalWorld } from '../support/approval-world.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { rolloutPlan } from '../support/stages.js';

let db: TestDatabase;
let world: ApprovalWorld;
let ada: PersonPrincipal;
let ben: PersonPrincipal;

/** A tenant of its own, where a test changes what others stand on. */
const afresh = async (): Promise<void> => {
  world = await approvalWorld(db);
  ada = await world.person('SRELead');
  ben = await world.person('SRELead');
};

beforeAll(async () => {
  db = await testDatabase();
  await afresh();
});
afterAll(() => db.close());

/** `ok`, or the code of the refusal with those of the policy's reasons. */
const codeOf = (result: Result<unknown>): string =>
  result.ok ? 'ok' : [result.error.code, ...new Set((result.error.reasons ?? []).map(({ code }) => code))].join(' ');

const granted = async (request: ApprovalRequest): Promise<ApprovalRequest> => {
  valueOf(await world.review(ada, request));
  return valueOf(await world.review(ben, request)).request;
};

const rules = (production: object, rest: object = {}): AutonomyDocument => ({
  autonomy: {
    mode: 'plan_only',
    ...rest,
    environments: {
      production: { mode: 'full_auto', allowed_approvers: ['SRELead'], require_two_approvers: true, ...production },
    },
  },
});

describe('the lifecycle table', () => {
  it('holds exactly the rows that the code holds', async () => {
    const { rows } = await db.owner.query<{ from: string; event: string; to: string }>(
      'select from_state as from, event, to_state as to from approval_transition',
    );
    const key = (row: { from: string; event: string; to: string }): string => `${row.from} ${row.event} ${row.to}`;
    expect(rows.map(key).sort()).toEqual(APPROVAL_TRANSITIONS.map(key).sort());
  });
});

describe('asking for approval', () => {
  it('binds everything, excludes the owner, and carries the obligations of the moment', async () => {
    const request = await world.asked();
    expect(request).toMatchObject({
      state: 'open',
      phases: 'all',
      decision: { outcome: 'require_approval', obligations: { approvals: [{ count: 2, roles: ['SRELead'] }] } },
      excluded: [
        { personId: world.stages.owner.personId, why: 'owner' },
        // Who minted the agent's token.
        { personId: world.stages.admin.personId, why: 'owner' },
      ],
    });
    expect(Object.keys(request.binding.tools)).toContain('execute_rollout_prod@1');
    expect(request.binding.simulation).toMatch(/^sha256:/);
    expect(request.bindingDigest).toBe(digestOf('binding', request.binding));
    expect(request.expiresAt - request.openedAt).toBe(3_600_000);
    expect(world.audited.at(-1)).toMatchObject({ action: 'approval_request.opened', level: 'full_with_evidence' });
  });

  it('answers with the same request when the same is asked again (T09)', async () => {
    const request = await world.asked();
    const again = valueOf(await world.open.execute(world.stages.agent, request.planId, { start: 'manual' }));
    expect(again).toMatchObject({ created: false, request: { id: request.id } });
    const other = await world.open.execute(world.stages.agent, request.planId, { start: 'on_approval' });
    expect(codeOf(other)).toBe('approval.already_open');
  });

  it('gives one request to two who ask at once (T09)', async () => {
    const planId = await world.simulated();
    const both = await Promise.all(
      [1, 2].map(() => world.open.execute(world.stages.agent, planId, { start: 'manual' })),
    );
    expect(new Set(both.map((result) => valueOf(result).request.id)).size).toBe(1);
    expect(both.filter((result) => valueOf(result).created)).toHaveLength(1);
  });

  it('is refused without a simulation, and the refusal is on record', async () => {
    const planId = await world.stages.planned(await world.stages.task());
    const refused = await world.open.execute(world.stages.agent, planId, { start: 'manual' });
    expect(codeOf(refused)).toBe('policy.denied simulation.required');
    expect(world.audited.at(-1)).toMatchObject({
      action: 'approval_request.refused',
      planId,
      decisionId: expect.any(String),
    });
  });

  it('is refused on a simulation that is too old, whether or not that is on record by now, until it is simulated again', async () => {
    const planId = await world.simulated();
    const { rows } = await db.owner.query<{ id: SimulationId }>(
      `update simulation set started_at = started_at - interval '25 hours', finished_at = finished_at - interval '25 hours',
         next_at = next_at - interval '25 hours' where plan_id = $1 returning id`,
      [planId],
    );
    const refusal = {
      ok: false,
      error: {
        code: 'policy.denied',
        reasons: [{ code: 'simulation.stale', message: 'The simulation is older than 1 day: simulate again' }],
      },
    };
    const ask = () => world.open.execute(world.stages.agent, planId, { start: 'manual' });
    expect(await ask()).toMatchObject(refusal);
    for (const { id } of rows) await world.stages.executeSimulation.execute(world.stages.tenantId, id);
    expect(await db.owner.query('select state from simulation where plan_id = $1', [planId])).toMatchObject({
      rows: [{ state: 'stale' }],
    });
    expect(await ask()).toMatchObject(refusal);
    await world.simulate(planId);
    expect(codeOf(await ask())).toBe('ok');
  });

  it('is refused to an agent that has no part in the task', async () => {
    const planId = await world.simulated();
    expect(codeOf(await world.open.execute(world.stages.otherAgent, planId, { start: 'manual' }))).toBe(
      'task.not_yours',
    );
  });

  it('is refused for a time to start that no grant could still be good at', async () => {
    const planId = await world.simulated();
    const at = (minutes: number) => ({
      start: 'at' as const,
      start_at: new Date(Date.now() + minutes * 60_000).toISOString(),
    });
    expect(codeOf(await world.open.execute(world.stages.agent, planId, at(-1)))).toBe('approval.start_at_past');
    expect(codeOf(await world.open.execute(world.stages.agent, planId, at(241)))).toBe('approval.start_at_too_late');
    expect(codeOf(await world.open.execute(world.stages.agent, planId, at(60)))).toBe('ok');
  });

  it('is not needed where policy asks for nobody', async () => {
    const readOnly = {
      phases: [
        {
          name: 'look',
          canary: false,
          targets: [],
          batch_percent: 100,
          wait_seconds: 0,
          health_checks: [],
          steps: [{ id: 'query', tool: 'query_assets', arguments: {}, on_failure: 'pause' as const }],
        },
      ],
    };
    const planId = await world.stages.planned(await world.stages.task(), readOnly);
    expect(codeOf(await world.open.execute(world.stages.agent, planId, { start: 'manual' }))).toContain(
      'approval.not_required',
    );
    expect(await world.tryToStart(planId)).toBe('approved');
  });
});

describe('reviewing', () => {
  it('grants with the second of two leads, for a bounded time, and then lets it start once', async () => {
    const request = await world.asked();
    expect(valueOf(await world.review(ada, request)).request.state).toBe('open');
    expect(await world.tryToStart(request.planId)).toBe('policy.denied approval.required');
    const after = valueOf(await world.review(ben, request)).request;
    expect(after).toMatchObject({ state: 'granted' });
    expect(after.state === 'granted' && after.grantExpiresAt - after.grantedAt).toBe(240 * 60_000);
    expect(await world.tryToStart(request.planId)).toBe('approved');
    expect(world.started).toEqual([]);
  });

  it('starts on approval where that was asked, with the person who gave the last one', async () => {
    const planId = await world.simulated();
    const { request } = valueOf(await world.open.execute(world.stages.agent, planId, { start: 'on_approval' }));
    await granted(request);
    expect(world.started.splice(0)).toMatchObject([
      { request: { id: request.id, state: 'granted' }, principal: { personId: ben.personId } },
    ]);
  });

  it('starts at its time, found by the worker', async () => {
    const planId = await world.simulated();
    const start_at = new Date(Date.now() + 30 * 60_000).toISOString();
    const { request } = valueOf(await world.open.execute(world.stages.agent, planId, { start: 'at', start_at }));
    await granted(request);
    await world.scheduled.execute(100);
    expect(world.started).toHaveLength(0);
    expect(await world.tryToStart(planId)).toBe('approval.starts_later');
    expect(await world.tryToStart(planId, ben)).toBe('approval.starts_later');
    await world.age(request, 31);
    expect(await world.tryToStart(planId)).toBe('approved');
    await world.scheduled.execute(100);
    expect(world.started.splice(0).map(({ request: { id }, principal }) => [id, principal.kind])).toEqual([
      [request.id, 'system'],
    ]);
  });

  it.each(['reject', 'request_changes'] as const)('is refused as %s without a reason', async (verdict) => {
    const request = await world.asked();
    for (const comment of ['', ' \n'])
      expect(
        codeOf(await world.reviewing.execute(ada, request.id, { verdict, comment, plan_digest: request.binding.plan })),
      ).toBe('approval.reason_missing');
    expect((await world.find(request)).state).toBe('open');
  });

  it('is refused for another plan than the one shown', async () => {
    const request = await world.asked();
    const other = await world.reviewing.execute(ada, request.id, {
      verdict: 'approve',
      plan_digest: digestOf('plan', { other: true }),
    });
    expect(codeOf(other)).toBe('approval.digest_mismatch');
  });

  it('shows a reviewer what differs from what they approved before', async () => {
    const first = await world.asked();
    valueOf(await world.review(ada, first));
    const revision = valueOf(
      await world.submitPlan.execute(world.stages.agent, first.taskId, rolloutPlan('web-2026-12')),
    );
    await world.simulate(revision.id);
    const second = valueOf(await world.open.execute(world.stages.agent, revision.id, { start: 'manual' })).request;
    const seen = valueOf(await world.reading.get(ada, second.id));
    expect(seen.changesSinceMyReview).toMatchObject({ requestId: first.id });
    expect(seen.changesSinceMyReview?.bound.map(({ member }) => member)).toContain('plan');
    expect(seen.changesSinceMyReview?.plan.calls?.[0]).toMatchObject({
      kind: 'changed',
      seqAfter: 1,
      changes: [{ pointer: '/arguments/image', before: 'web-2026-11', after: 'web-2026-12' }],
    });
    expect(valueOf(await world.reading.get(ben, second.id)).changesSinceMyReview).toBeNull();
  });

  it('lists for each person the open requests they may review', async () => {
    await afresh();
    const request = await world.asked();
    const page = { limit: 10, after: null };
    const mine = async (person: PersonPrincipal): Promise<string[]> =>
      (await world.reading.reviewable(person, {}, page)).items.map((item) => item.request.id);
    expect(await mine(ada)).toEqual([request.id]);
    expect(await mine(await world.person('DevOpsEngineer'))).toEqual([]);
    expect(await mine({ ...world.stages.owner, scopes: ada.scopes })).toEqual([]);
    const more = await world.asked();
    const first = await world.reading.reviewable(ada, {}, { limit: 1, after: null });
    expect(first.items.map((item) => item.request.id)).toEqual([more.id]);
    const after = first.next === null ? null : { at: first.next.openedAt, id: first.next.id };
    const second = await world.reading.reviewable(ada, {}, { limit: 10, after });
    expect(second).toMatchObject({ items: [{ request: { id: request.id } }], next: null });
  });
});

describe('T01: what is bound changes', () => {
  beforeEach(afresh);

  const changes: [string, string, (request: ApprovalRequest) => Promise<unknown>][] = [
    [
      'the environment',
      'environment',
      () =>
        db.owner.query('update environment set version = version + 1 where tenant_id = $1', [world.stages.tenantId]),
    ],
    [
      'the version of a tool',
      'tools',
      () =>
        db.owner.query(
          `with added as (
             insert into tool_version (tenant_id, id, tool_id, name, version, digest, definition, created_at, created_by)
             select tenant_id, $2, tool_id, name, 2, $3, definition, clock_timestamp(), created_by from tool_version
             where tenant_id = $1 and name = 'execute_rollout_prod')
           update tool set version = 2 where tenant_id = $1 and name = 'execute_rollout_prod'`,
          [world.stages.tenantId, newId(), digestOf('tool', { changed: true })],
        ),
    ],
    [
      'an executor’s address',
      'executors',
      () =>
        world.stages.inTenant(async (tx) => {
          const { TypeormExecutorRepository } = await import('#lib/tool');
          const executors = new TypeormExecutorRepository();
          const record = await executors.lock(tx, world.stages.environmentId, 'fleet');
          if (record === null) throw new Error('no fleet');
          const moved = {
            ...record,
            url: 'http://127.0.0.1:10/',
            version: 2,
            digest: digestOf('executor', { moved: true }),
          };
          await executors.save(tx, world.stages.environmentId, moved, ada.personId, await tx.now());
        }),
    ],
    [
      'the simulation',
      'simulation',
      (request) => {
        world.stages.answerTools(() => ({
          kind: 'succeeded',
          result: {
            affected_assets: 99,
            estimated_duration_minutes: 3,
            predicted_risk: 'high',
            health_check_points: [],
            details: {},
          },
        }));
        return world.simulate(request.planId);
      },
    ],
  ];

  it.each(changes)('%s, while the request is open: the next review voids it', async (_what, member, change) => {
    const request = await world.asked();
    valueOf(await world.review(ada, request));
    await change(request);
    const refused = await world.review(ben, request);
    expect(refused).toMatchObject({
      ok: false,
      error: { code: 'approval.binding_changed', details: { changed: [{ member }] } },
    });
    expect(await world.find(request)).toMatchObject({
      state: 'voided',
      closedReason: { code: 'approval.binding_changed', details: { changed: [member] } },
    });
    expect(codeOf(await world.review(ben, request))).toBe('approval.voided');
  });

  it.each(changes)('%s, while it is granted: the start is refused and it is voided', async (_what, member, change) => {
    const request = await granted(await world.asked());
    await change(request);
    expect(await world.tryToStart(request.planId)).toBe('approval.binding_changed');
    expect(await world.find(request)).toMatchObject({
      state: 'voided',
      closedReason: { code: 'approval.binding_changed', details: { changed: [member] } },
    });
    expect(await world.tryToStart(request.planId)).not.toBe('approved');
  });

  it.each(['open', 'granted'] as const)(
    'the plan, by a new revision: the %s request is voided with it',
    async (state) => {
      const request = state === 'open' ? await world.asked() : await granted(await world.asked());
      const revision = valueOf(
        await world.submitPlan.execute(world.stages.agent, request.taskId, rolloutPlan('web-2026-12')),
      );
      expect(await world.find(request)).toMatchObject({
        state: 'voided',
        closedReason: { code: 'approval.plan_superseded', details: { superseded_by: revision.id } },
      });
      expect(await world.tryToStart(request.planId)).toBe('approval.plan_not_executable');
      expect(codeOf(await world.review(ada, request))).toBe('approval.voided');
    },
  );

  it('and asking again, for a plan expanded from what is no more, is refused', async () => {
    const planId = await world.simulated();
    await db.owner.query('update environment set version = version + 1 where tenant_id = $1', [world.stages.tenantId]);
    const refused = await world.open.execute(world.stages.agent, planId, { start: 'manual' });
    expect(refused).toMatchObject({
      ok: false,
      error: { code: 'approval.plan_outdated', details: { changed: [{ member: 'environment' }] } },
    });
  });
});

describe('T03: nobody approves their own', () => {
  beforeEach(afresh);

  const SOD = 'policy.denied review.separation_of_duties';

  it('neither the agent’s accountable owner', async () => {
    await world.grantRole(world.stages.owner, 'SRELead');
    const request = await world.asked();
    const owner = { ...world.stages.owner, scopes: ada.scopes };
    expect(codeOf(await world.review(owner, request))).toBe(SOD);
    expect(world.audited.at(-1)).toMatchObject({ action: 'review.refused', decisionId: expect.any(String) });
  });

  it('nor an owner whom the agent got after the request opened', async () => {
    const request = await world.asked();
    await db.owner.query('update agent set owner_person_id = $2 where id = $1', [
      world.stages.agent.agentId,
      ada.personId,
    ]);
    // What the page says before anybody reviews is what the review is told.
    const seen = valueOf(await world.reading.get(ada, request.id));
    expect(seen.mayReview.reasons.map(({ code }) => code)).toEqual(['review.separation_of_duties']);
    expect(seen.request.excluded).toContainEqual({ personId: ada.personId, why: 'owner' });
    expect(codeOf(await world.review(ada, request))).toBe(SOD);
  });

  it('nor who handed the agent to somebody else in between', async () => {
    const planId = await world.simulated();
    await world.grantRole(world.stages.owner, 'SRELead');
    await db.owner.query('update agent set owner_person_id = $2 where id = $1', [
      world.stages.agent.agentId,
      ada.personId,
    ]);
    const { request } = valueOf(await world.open.execute(world.stages.agent, planId, { start: 'manual' }));
    expect(codeOf(await world.review({ ...world.stages.owner, scopes: ben.scopes }, request))).toBe(SOD);
    expect(codeOf(await world.review(ada, request))).toBe(SOD);
    expect(codeOf(await world.review(ben, request))).toBe('ok');
  });

  it('nor who minted the token that the agent used', async () => {
    const request = await world.asked();
    await db.owner.query('update credential set created_by = $2 where id = $1', [
      world.stages.agent.credentialId,
      ada.personId,
    ]);
    expect(codeOf(await world.review(ada, request))).toBe(SOD);
    expect(codeOf(await world.review(ben, request))).toBe('ok');
  });

  it('nor the person it acts for', async () => {
    const acting: AgentPrincipal = { ...world.stages.agent, onBehalfOf: ada.personId };
    const task = valueOf(await world.stages.createTask.execute(acting, (await world.stages.task()).spec));
    const plan = valueOf(await world.submitPlan.execute(world.stages.agent, task.id, rolloutPlan()));
    await world.simulate(plan.id);
    const { request } = valueOf(await world.open.execute(world.stages.agent, plan.id, { start: 'manual' }));
    expect(request.excluded).toContainEqual({ personId: ada.personId, why: 'on_behalf_of' });
    expect(codeOf(await world.review(ada, request))).toBe(SOD);
  });

  it('nor who asked, or changed an earlier revision, through whatever credential', async () => {
    const admin = { ...(await world.person('PlatformAdmin', 'SRELead')) };
    const task = await world.stages.task();
    valueOf(await world.submitPlan.execute(admin, task.id, rolloutPlan('web-2026-10')));
    const plan = valueOf(await world.submitPlan.execute(world.stages.agent, task.id, rolloutPlan()));
    await world.simulate(plan.id);
    const { request } = valueOf(await world.open.execute(world.stages.agent, plan.id, { start: 'manual' }));
    expect(request.excluded).toContainEqual({ personId: admin.personId, why: 'changed' });
    expect(codeOf(await world.review(admin, request))).toBe(SOD);
    expect(codeOf(await world.review(await world.otherToken(admin), request))).toBe(SOD);
    await world.withdrawing.execute(world.stages.agent, request.id);
    const asked = valueOf(await world.open.execute(admin, plan.id, { start: 'manual' })).request;
    expect(asked.excluded).toContainEqual({ personId: admin.personId, why: 'submitter' });
    expect(codeOf(await world.review(await world.otherToken(admin), asked))).toBe(SOD);
  });

  it('nor with a role gained after the request opened', async () => {
    const late = await world.person('DevOpsEngineer');
    const request = await world.asked();
    await world.grantRole(late, 'SRELead');
    expect(codeOf(await world.review(late, request))).toBe('policy.denied review.role');
    expect(codeOf(await world.review(late, await world.asked()))).toBe('ok');
  });
});

describe('T04: only people review', () => {
  it('not an agent, whatever scopes its credential claims', async () => {
    const request = await world.asked();
    const agent: AgentPrincipal = { ...world.stages.otherAgent, scopes: ada.scopes };
    expect(codeOf(await world.review(agent, request))).toContain('review.not_a_person');
    expect(
      codeOf(await world.review({ kind: 'system', tenantId: world.stages.tenantId, name: 'worker' }, request)),
    ).toContain('review.not_a_person');
  });

  it('not a person who is disabled', async () => {
    const request = await world.asked();
    const gone = await world.person('SRELead');
    await world.disable(gone);
    expect(codeOf(await world.review(gone, request))).toBe('policy.denied review.role');
  });
});

describe('T05: reviews at the same moment', () => {
  it('count once for one person, whatever way they come', async () => {
    const request = await world.asked();
    const second = await world.otherToken(ada);
    const both = await Promise.all([world.review(ada, request), world.review(second, request)]);
    expect(both.map(codeOf)).toEqual(['ok', 'ok']);
    const { reviews } = valueOf(await world.reading.reviews(ada, request.id));
    expect(reviews.filter(({ replacedAt }) => replacedAt === null)).toHaveLength(1);
    expect(reviews).toHaveLength(2);
    expect((await world.find(request)).state).toBe('open');
  });

  it.each(Array.from({ length: 5 }, (_, round) => round))(
    'let whichever committed first decide, approve or reject (%i)',
    async () => {
      const dov = await world.person('SRELead');
      const request = await world.asked();
      valueOf(await world.review(ada, request));
      const [approve, reject] = await Promise.all([world.review(ben, request), world.review(dov, request, 'reject')]);
      const { state } = await world.find(request);
      expect([codeOf(approve), codeOf(reject)].sort()).toEqual(['approval.already_decided', 'ok']);
      expect(state).toBe(approve.ok ? 'granted' : 'denied');
    },
  );
});

describe('T06: what approved it no longer holds', () => {
  beforeEach(afresh);

  it('a reviewer loses the role before the start', async () => {
    const request = await granted(await world.asked());
    await world.revokeRole(ben, 'SRELead');
    expect(await world.tryToStart(request.planId)).toBe('policy.denied approval.role_lost');
    expect(await world.find(request)).toMatchObject({ state: 'voided', closedReason: { code: 'approval.role_lost' } });
  });

  it('and does not get it back for this request by regaining it', async () => {
    const request = await granted(await world.asked());
    await world.revokeRole(ben, 'SRELead');
    await world.grantRole(ben, 'SRELead');
    expect(await world.tryToStart(request.planId)).toBe('policy.denied approval.role_lost');
  });

  it('a reviewer is disabled before the start', async () => {
    const request = await granted(await world.asked());
    await world.disable(ben);
    expect(await world.tryToStart(request.planId)).toBe('approval.reviewer_disabled');
    expect((await world.find(request)).state).toBe('voided');
  });

  it('the grant runs out', async () => {
    const request = await granted(await world.asked());
    await world.age(request, 241);
    expect(await world.tryToStart(request.planId)).toBe('approval.expired');
    expect(await world.find(request)).toMatchObject({
      state: 'expired',
      closedReason: { code: 'approval.expired_unused' },
    });
  });

  it('the request runs out: the late review is refused and the expiry recorded', async () => {
    const request = await world.asked();
    await world.age(request, 61);
    expect(codeOf(await world.review(ada, request))).toBe('approval.expired');
    expect(await world.find(request)).toMatchObject({
      state: 'expired',
      closedReason: { code: 'approval.expired_undecided' },
    });
  });

  it('the worker records what has run out, and nothing else', async () => {
    const [late, open] = [await world.asked(), await world.asked()];
    await world.age(late, 61);
    expect(await world.expiring.execute(1_000)).toBeGreaterThanOrEqual(1);
    expect((await world.find(late)).state).toBe('expired');
    expect((await world.find(open)).state).toBe('open');
  });

  const MORE = 'Policy or autonomy asks for more than when the request was opened: ';
  const LESS = 'Policy does not let this be asked for any more: ';
  it.each<[string, object, string]>([
    [
      'a third approver',
      { quorum: [{ count: 3, roles: ['SRELead'] }] },
      `${MORE}it now asks for 3 of SRELead instead of 2 of SRELead`,
    ],
    [
      'another role',
      {
        quorum: [
          { count: 1, roles: ['SRELead'] },
          { count: 1, roles: ['SecurityReviewer'] },
        ],
        allowed_approvers: ['SRELead', 'SecurityReviewer'],
      },
      `${MORE}it now asks for`,
    ],
    ['a second factor', { require_mfa: true }, `${MORE}a second factor is asked for now`],
    ['canary phases only', { mode: 'canary_only' }, `${MORE}no more than the canary phases may run now`],
    ['nothing at all', { mode: 'plan_only' }, LESS],
    [
      'a shorter life',
      { approval_valid_minutes: 30 },
      `${MORE}an approval is now good for 30 minutes instead of 4 hours`,
    ],
  ])(
    'autonomy asks for %s: an open request is voided by the next review, a granted one at the start',
    async (_what, stricter, said) => {
      const [pending, approved] = [await world.asked(), await granted(await world.asked())];
      await world.autonomy(rules(stricter));
      const refused = await world.review(ada, pending);
      expect(codeOf(refused)).toContain('approval.stricter');
      expect(refused).toMatchObject({ error: { message: expect.stringContaining(`The request was voided. ${said}`) } });
      expect(await world.find(pending)).toMatchObject({
        state: 'voided',
        closedReason: { code: 'approval.stricter', message: expect.stringContaining(said) },
      });
      expect(await world.tryToStart(approved.planId)).toContain('policy.denied');
      expect((await world.find(approved)).state).toBe('voided');
    },
  );

  it('an unrelated edit changes nothing', async () => {
    const [pending, approved] = [await world.asked(), await granted(await world.asked())];
    await world.autonomy(rules({}, { tool_overrides: { trigger_dr_failover: { mode: 'plan_only' } } }));
    expect(codeOf(await world.review(ada, pending))).toBe('ok');
    expect(await world.tryToStart(approved.planId)).toBe('approved');
  });
});

describe('T07: an admin without the role', () => {
  it('is refused, and has no way round', async () => {
    const request = await world.asked();
    const admin = await world.person('PlatformAdmin');
    expect(codeOf(await world.review(admin, request))).toBe('policy.denied review.role');
    expect(codeOf(await world.review(admin, request, 'reject'))).toBe('policy.denied review.role');
    expect((await world.find(request)).state).toBe('open');
  });
});

describe('a halt', () => {
  beforeEach(afresh);

  it('refuses the start and leaves the approval to its own time', async () => {
    const request = await granted(await world.asked());
    const halt = {
      id: newId(),
      target: { kind: 'tenant' as const },
      reason: 'stop',
      effect: { pausedRuns: [], revokedGrants: 0, inFlight: [] },
      createdAt: Date.now(),
      createdBy: {
        kind: 'person' as const,
        id: ada.personId,
        display_name: 'Ada',
        credential_id: null,
        on_behalf_of: null,
      },
      lifted: null,
    };
    await world.stages.inTenant((tx) => world.halts.insert(tx, { ...halt, id: halt.id as never }));
    expect(await world.tryToStart(request.planId)).toBe('policy.denied halt.active');
    expect((await world.find(request)).state).toBe('granted');
  });
});

describe('withdrawing', () => {
  beforeEach(afresh);

  it('voids the request, for those who may change the task', async () => {
    const request = await world.asked();
    expect(codeOf(await world.withdrawing.execute(ada, request.id))).toBe('task.not_yours');
    expect(valueOf(await world.withdrawing.execute(world.stages.agent, request.id))).toMatchObject({
      state: 'voided',
      closedReason: { code: 'approval.withdrawn' },
    });
    expect(codeOf(await world.withdrawing.execute(world.stages.agent, request.id))).toBe('approval.voided');
  });
});
