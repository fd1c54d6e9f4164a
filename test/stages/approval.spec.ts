import { APPROVAL_TRANSITIONS, planKey, type ApprovalRequest } from '#lib/approval';
import type { AutonomyDocument } from '#lib/formats';
import {
  digestOf,
  newId,
  type AgentPrincipal,
  type PersonPrincipal,
  type Result,
  type SimulationId,
} from '#lib/kernel';
import { createToolStore } from '#lib/tool';
import { valueOf } from '../../libs/stages/run/src/fake-run-documents.js';
import { ofPlan, type PlanRequest } from '../../libs/stages/approval/src/application/fake-approval-world.js';
import { approvalWorld, type ApprovalWorld } from '../support/approval-world.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { rolloutPlan } from '../support/stages.js';

let db: TestDatabase;
let world: ApprovalWorld;
let ada: PersonPrincipal;
let ben: PersonPrincipal;

/** A tenant of its own, for a test that changes shared records. */
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

const approved = async (request: ApprovalRequest): Promise<PlanRequest> => {
  valueOf(await world.review(ada, request));
  return ofPlan(valueOf(await world.review(ben, request)).request);
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
      subject: { type: 'plan', phases: 'all' },
      decision: { outcome: 'require_approval', obligations: { approvals: [{ count: 2, roles: ['SRELead'] }] } },
      excluded: [
        { personId: world.stages.owner.personId, why: 'owner' },
        // The person who minted the agent's token.
        { personId: world.stages.admin.personId, why: 'owner' },
      ],
    });
    expect(Object.keys(request.binding.tools)).toContain('execute_rollout_prod@1');
    expect(request.binding.subject).toMatchObject({ simulation: expect.stringMatching(/^sha256:/) as string });
    expect(request.bindingDigest).toBe(digestOf('binding', request.binding));
    expect(request.expiresAt - request.openedAt).toBe(3_600_000);
    expect(world.audited.at(-1)).toMatchObject({ action: 'approval_request.opened', level: 'full_with_evidence' });
  });

  it('gives one request to two who ask at once (T09)', async () => {
    const planId = await world.simulated();
    const both = await Promise.all(
      [1, 2].map(() => world.open.execute(world.stages.agent, planKey(planId), { start: 'manual' })),
    );
    expect(new Set(both.map((result) => valueOf(result).request.id)).size).toBe(1);
    expect(both.filter((result) => valueOf(result).created)).toHaveLength(1);
  });

  it('is refused on a simulation that is too old, on record or not, until it is simulated again', async () => {
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
    const ask = () => world.open.execute(world.stages.agent, planKey(planId), { start: 'manual' });
    expect(await ask()).toMatchObject(refusal);
    for (const { id } of rows) await world.stages.executeSimulation.execute(world.stages.tenantId, id);
    expect(await db.owner.query('select state from simulation where plan_id = $1', [planId])).toMatchObject({
      rows: [{ state: 'stale' }],
    });
    expect(await ask()).toMatchObject(refusal);
    await world.simulate(planId);
    expect(codeOf(await ask())).toBe('ok');
  });
});

describe('reviewing', () => {
  it('approves with the second of two leads, for a bounded time, and then lets it start once', async () => {
    const starts = jest.spyOn(world.stages.wired.run.start, 'requestApproved');
    const request = await world.asked();
    expect(valueOf(await world.review(ada, request)).request.state).toBe('open');
    expect(await world.tryToStart(request.subject.id)).toBe('policy.denied approval.required');
    const after = valueOf(await world.review(ben, request)).request;
    expect(after).toMatchObject({ state: 'approved' });
    expect(after.state === 'approved' && after.approvalExpiresAt - after.approvedAt).toBe(240 * 60_000);
    expect(await world.tryToStart(request.subject.id)).toBe('approved');
    expect(starts).not.toHaveBeenCalled();
  });

  it('shows a reviewer the differences from the plan that they approved before', async () => {
    const first = await world.asked();
    valueOf(await world.review(ada, first));
    const { plan: revision } = valueOf(
      await world.submitPlan.execute(world.stages.agent, first.subject.taskId, rolloutPlan('web-2026-12')),
    );
    await world.simulate(revision.id);
    const second = valueOf(
      await world.open.execute(world.stages.agent, planKey(revision.id), { start: 'manual' }),
    ).request;
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
});

describe('T01: a bound member changes', () => {
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
          const { executors } = createToolStore();
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
        return world.simulate(ofPlan(request).subject.id);
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

  it.each(['open', 'approved'] as const)(
    'the plan, by a new revision: the %s request is voided with it',
    async (state) => {
      const request = state === 'open' ? await world.asked() : await approved(await world.asked());
      const { plan: revision } = valueOf(
        await world.submitPlan.execute(world.stages.agent, request.subject.taskId, rolloutPlan('web-2026-12')),
      );
      expect(await world.find(request)).toMatchObject({
        state: 'voided',
        closedReason: { code: 'approval.plan_superseded', details: { superseded_by: revision.id } },
      });
      expect(await world.tryToStart(request.subject.id)).toBe('approval.plan_not_executable');
      expect(codeOf(await world.review(ada, request))).toBe('approval.voided');
    },
  );

  it('and asking again, for a plan expanded from an earlier state, is refused', async () => {
    const planId = await world.simulated();
    await db.owner.query('update environment set version = version + 1 where tenant_id = $1', [world.stages.tenantId]);
    const refused = await world.open.execute(world.stages.agent, planKey(planId), { start: 'manual' });
    expect(refused).toMatchObject({
      ok: false,
      error: { code: 'approval.plan_outdated', details: { changed: [{ member: 'environment' }] } },
    });
  });
});

describe('T03: a person approves nothing of their own', () => {
  beforeEach(afresh);

  const SOD = 'policy.denied review.separation_of_duties';

  it('neither the agent’s accountable owner', async () => {
    await world.assignRole(world.stages.owner, 'SRELead');
    const request = await world.asked();
    const owner = { ...world.stages.owner, scopes: ada.scopes };
    expect(codeOf(await world.review(owner, request))).toBe(SOD);
    expect(world.audited.at(-1)).toMatchObject({ action: 'review.refused', decisionId: expect.any(String) });
  });

  it('nor an owner that the agent got after the request opened', async () => {
    const request = await world.asked();
    await db.owner.query('update agent set owner_person_id = $2 where id = $1', [
      world.stages.agent.agentId,
      ada.personId,
    ]);
    // The page shows the same refusal before the review as the review gets.
    const seen = valueOf(await world.reading.get(ada, request.id));
    expect(seen.mayReview.reasons.map(({ code }) => code)).toEqual(['review.separation_of_duties']);
    expect(seen.request.excluded).toContainEqual({ personId: ada.personId, why: 'owner' });
    expect(codeOf(await world.review(ada, request))).toBe(SOD);
  });

  it('nor the owner who handed the agent to somebody else in between', async () => {
    const planId = await world.simulated();
    await world.assignRole(world.stages.owner, 'SRELead');
    await db.owner.query('update agent set owner_person_id = $2 where id = $1', [
      world.stages.agent.agentId,
      ada.personId,
    ]);
    const { request } = valueOf(await world.open.execute(world.stages.agent, planKey(planId), { start: 'manual' }));
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
    const { plan } = valueOf(await world.submitPlan.execute(world.stages.agent, task.id, rolloutPlan()));
    await world.simulate(plan.id);
    const { request } = valueOf(await world.open.execute(world.stages.agent, planKey(plan.id), { start: 'manual' }));
    expect(request.excluded).toContainEqual({ personId: ada.personId, why: 'on_behalf_of' });
    expect(codeOf(await world.review(ada, request))).toBe(SOD);
  });

  it('nor a person who asked, or changed an earlier revision, through any credential', async () => {
    const admin = { ...(await world.person('PlatformAdmin', 'SRELead')) };
    const task = await world.stages.task();
    valueOf(await world.submitPlan.execute(admin, task.id, rolloutPlan('web-2026-10')));
    const { plan } = valueOf(await world.submitPlan.execute(world.stages.agent, task.id, rolloutPlan()));
    await world.simulate(plan.id);
    const { request } = valueOf(await world.open.execute(world.stages.agent, planKey(plan.id), { start: 'manual' }));
    expect(request.excluded).toContainEqual({ personId: admin.personId, why: 'changed' });
    expect(codeOf(await world.review(admin, request))).toBe(SOD);
    expect(codeOf(await world.review(await world.otherToken(admin), request))).toBe(SOD);
    await world.withdrawing.execute(world.stages.agent, request.id);
    const asked = valueOf(await world.open.execute(admin, planKey(plan.id), { start: 'manual' })).request;
    expect(asked.excluded).toContainEqual({ personId: admin.personId, why: 'submitter' });
    expect(codeOf(await world.review(await world.otherToken(admin), asked))).toBe(SOD);
  });

  it('nor with a role gained after the request opened', async () => {
    const late = await world.person('DevOpsEngineer');
    const request = await world.asked();
    await world.assignRole(late, 'SRELead');
    expect(codeOf(await world.review(late, request))).toBe('policy.denied review.role');
    expect(codeOf(await world.review(late, await world.asked()))).toBe('ok');
  });
});

describe('T05: reviews at the same moment', () => {
  it('count once for one person, with any of their credentials', async () => {
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
    'let the first commit decide, approve or reject (%i)',
    async () => {
      const dov = await world.person('SRELead');
      const request = await world.asked();
      valueOf(await world.review(ada, request));
      const [approve, reject] = await Promise.all([world.review(ben, request), world.review(dov, request, 'reject')]);
      const { state } = await world.find(request);
      expect([codeOf(approve), codeOf(reject)].sort()).toEqual(['approval.already_decided', 'ok']);
      expect(state).toBe(approve.ok ? 'approved' : 'denied');
    },
  );
});

describe('T06: the basis of an approval no longer holds', () => {
  beforeEach(afresh);

  it('a reviewer loses the role before the start', async () => {
    const request = await approved(await world.asked());
    await world.revokeRole(ben, 'SRELead');
    expect(await world.tryToStart(request.subject.id)).toBe('policy.denied approval.role_lost');
    expect(await world.find(request)).toMatchObject({ state: 'voided', closedReason: { code: 'approval.role_lost' } });
  });

  it('autonomy asks for a third approver: the next review voids an open request, the start an approved one', async () => {
    const said =
      'Policy or autonomy asks for more than when the request was opened: it now asks for 3 of SRELead instead of 2 of SRELead';
    const [pending, unused] = [await world.asked(), await approved(await world.asked())];
    await world.autonomy(rules({ quorum: [{ count: 3, roles: ['SRELead'] }] }));
    const refused = await world.review(ada, pending);
    expect(codeOf(refused)).toContain('approval.stricter');
    expect(refused).toMatchObject({ error: { message: expect.stringContaining(`The request was voided. ${said}`) } });
    expect(await world.find(pending)).toMatchObject({
      state: 'voided',
      closedReason: { code: 'approval.stricter', message: expect.stringContaining(said) },
    });
    expect(await world.tryToStart(unused.subject.id)).toContain('policy.denied');
    expect((await world.find(unused)).state).toBe('voided');
  });
});

describe('a halt', () => {
  beforeEach(afresh);

  it('refuses the start and leaves the approval to its own time', async () => {
    const request = await approved(await world.asked());
    await world.stages.setHalt({ kind: 'tenant', reason: 'stop' });
    expect(await world.tryToStart(request.subject.id)).toBe('policy.denied halt.active');
    expect((await world.find(request)).state).toBe('approved');
  });
});

describe('an absence', () => {
  beforeEach(afresh);

  it('lets the delegate fill a slot with the roles of the absent person', async () => {
    const dan = await world.person();
    const until = Date.now() + 86_400_000;
    valueOf(await world.absences.begin(ada, { delegateId: dan.personId, roles: null, from: null, until }));
    const request = await world.asked();
    const queue = await world.queue.execute(dan, { limit: 10, after: null });
    expect(queue.items.map((item) => item.request.id)).toEqual([request.id]);
    expect(valueOf(await world.review(dan, request)).review).toMatchObject({
      delegatedBy: ada.personId,
      roles: [{ role: 'SRELead' }],
    });
    expect(codeOf(await world.review(ben, request))).toBe('ok');
    expect((await world.find(request)).state).toBe('approved');
    expect(await world.tryToStart(request.subject.id)).toBe('approved');
    expect(world.audited.find(({ action }) => action === 'absence.begun')).toMatchObject({
      payload: { person_id: ada.personId, delegate_id: dan.personId, roles: ['SRELead'] },
    });
    expect(
      world.audited.findLast(({ action, actor }) => action === 'review.submitted' && actor.id === dan.personId),
    ).toMatchObject({
      payload: { delegated_by: ada.personId },
    });
  });
});

describe('a freeze', () => {
  beforeEach(afresh);

  const HOUR = 3_600_000;

  it('refuses a start with its end, and leaves the approval to its own time', async () => {
    const request = await approved(await world.asked());
    const wall = (at: number): string => new Date(at).toISOString().slice(0, 16);
    const frozen = {
      name: 'year-end',
      time_zone: 'UTC',
      from: wall(Date.now() - HOUR),
      until: wall(Date.now() + HOUR),
    };
    await world.autonomy({ ...rules({}), freezes: [frozen] });
    expect(await world.tryToStart(request.subject.id)).toBe('freeze.active freeze.active');
    expect((await world.find(request)).state).toBe('approved');
    const refused = await db.uow.run(world.stages.tenantId, (tx) =>
      world.authority.authorize(tx, request.subject.id, world.stages.agent),
    );
    expect(!refused.ok && refused.error).toMatchObject({
      kind: 'conflict',
      details: { until: `${frozen.until}:00.000Z` },
    });
    await world.autonomy(rules({}));
    expect(await world.tryToStart(request.subject.id)).toBe('approved');
  });
});

describe('reminders', () => {
  const tellAfter = async (request: ApprovalRequest, minutes: number): Promise<string[]> => {
    world.told.length = 0;
    await db.owner.query(
      `update approval_reminder set due_at = due_at - $2 * interval '1 minute' where request_id = $1`,
      [request.id, minutes],
    );
    const remind = () => world.reminding.execute(world.stages.tenantId, request.id);
    await Promise.all([remind(), remind()]);
    return world.told.flatMap(({ topic, payload }) =>
      topic === 'approval_request.reminder' && payload.request_id === request.id ? [payload.which] : [],
    );
  };

  it('come at half time and near the end, once each, even if two looks run at once', async () => {
    const request = await world.asked({ timeout_minutes: 60 });
    expect(await tellAfter(request, 29)).toEqual([]);
    expect(await tellAfter(request, 1)).toEqual(['half_time']);
    expect(await tellAfter(request, 1)).toEqual([]);
    expect(await tellAfter(request, 23)).toEqual(['near_end']);
    expect(await tellAfter(request, 10)).toEqual([]);
  });
});
