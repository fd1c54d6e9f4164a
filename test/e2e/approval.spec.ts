import { v7 } from 'uuid';
import type { PlanRequestDetailView, ApprovalRequestView } from '#lib/api-schemas';
import type { SimulationId } from '#lib/kernel';
import {
  expectStatus,
  cameInByHand,
  testApi,
  type Answer,
  type HttpAs,
  type TestAgent,
  type TestApi,
  type TestPerson,
  type TestTenant,
} from '../support/api.js';
import { knownAtIssuer } from '../support/browser-session.js';
import {
  autonomyDocument,
  equippedTenant,
  predictingToolServer,
  type EquippedTenant,
} from '../support/equipped-tenant.js';
import { rolloutPlan, anotherTaskSpec } from '../support/stages.js';

let api: TestApi;
let fleet: Awaited<ReturnType<typeof predictingToolServer>>;
let tenant: TestTenant;
let owner: TestPerson;
let ada: TestPerson;
let ben: TestPerson;
let bot: TestAgent;
let admin: HttpAs;
let agent: HttpAs;
let executor: EquippedTenant['executor'];

beforeAll(async () => {
  fleet = await predictingToolServer();
  api = await testApi({ config: { allowedPrivateHosts: [`127.0.0.1:${String(fleet.port)}`] } });
  ({ tenant, admin, executor } = await equippedTenant(api, fleet.port));
  owner = await api.person(tenant, 'SRELead');
  ada = await api.person(tenant, 'SRELead');
  ben = await api.person(tenant, 'SRELead');
  bot = await api.agent(tenant, owner);
  agent = api.http(bot.token);
  const put = await admin.put('/v1/autonomy', autonomyDocument(true));
  if (put.status >= 300) throw new Error(put.text);
}, 120_000);
afterAll(async () => {
  await api.close();
  await fleet.close();
});

/** A new task with a plan that was simulated, by the holder of that credential. */
async function simulated(as: HttpAs = agent): Promise<string> {
  const task = expectStatus(await as.post('/v1/tasks', anotherTaskSpec()), 201).body as { id: string };
  const plan = expectStatus(await as.post(`/v1/tasks/${task.id}/plans`, rolloutPlan()), 201).body as { id: string };
  const started = await as.post(`/v1/plans/${plan.id}/simulations`);
  if (started.status >= 300) throw new Error(started.text);
  await api.installation.simulation.executeSimulation.execute(tenant.id, started.body.id as SimulationId);
  return plan.id;
}

const asked = async (as: HttpAs = agent): Promise<ApprovalRequestView> => {
  const planId = await simulated(as);
  return expectStatus(await as.post(`/v1/plans/${planId}/approval-requests`, { start: 'manual' }), 201)
    .body as ApprovalRequestView;
};

const review = (token: string, request: ApprovalRequestView, more: object = { verdict: 'approve' }): Promise<Answer> =>
  api
    .http(token)
    .post(`/v1/approval-requests/${request.id}/reviews`, { subject_digest: request.subject.digest, ...more });

const refusal = ({ status, body }: Answer): unknown[] => [
  status,
  body.code,
  ...new Set(((body.reasons ?? []) as { code: string }[]).map(({ code }) => code)),
];

describe('an approval over HTTP', () => {
  it('is asked for, seen, given by two people, and listed', async () => {
    const request = await asked();
    expect(request).toMatchObject({
      state: 'open',
      quorum: { complete: false, open: [{ count: 2, roles: ['SRELead'] }] },
    });
    const seen = expectStatus(await api.http(ada.token).get(`/v1/approval-requests/${request.id}`), 200)
      .body as PlanRequestDetailView;
    expect(seen).toMatchObject({
      environment: { name: 'production', production: true },
      said_by_the_requester: { goal: 'Remediate drift on 47 production web servers' },
      may_review: { outcome: 'allow' },
      simulation: { state: 'succeeded', result: { affected_assets: 47 } },
      changed_since_opened: [],
      changes_since_my_review: null,
    });
    expect(seen.headline).toMatch(/^execute_rollout_prod on 47 targets, image .*, revision 1$/);
    expect(seen.description.phases[0]).toMatchObject({
      canary: true,
      steps: [{ call: { tool: { name: 'execute_rollout_prod' } } }],
    });
    expect(seen.description).toMatchObject({
      headline: seen.headline,
      risk: seen.risk,
    });
    const mine = expectStatus(await api.http(ada.token).get('/v1/approval-requests?reviewable=true'), 200);
    expect((mine.body.items as { id: string }[]).map(({ id }) => id)).toContain(request.id);
    expect(expectStatus(await review(ada.token, request), 201).body.quorum.filled).toHaveLength(1);
    expect(expectStatus(await review(ben.token, request), 201).body).toMatchObject({
      state: 'approved',
      quorum: { complete: true },
    });
    const approved = await agent.get(`/v1/approval-requests?state=approved&plan_id=${request.subject.id}`);
    expect(expectStatus(approved, 200).body.items).toHaveLength(1);
    expect(expectStatus(await agent.get(`/v1/approval-requests/${request.id}/reviews`), 200).body.items).toHaveLength(
      2,
    );
  });

  it('asked for twice is one request (T09)', async () => {
    const request = await asked();
    const again = await agent.post(`/v1/plans/${request.subject.id}/approval-requests`, { start: 'manual' });
    expect([again.status, again.body.id]).toEqual([200, request.id]);
  });

  it('needs a reason to be refused', async () => {
    const request = await asked();
    expect(await review(ada.token, request, { verdict: 'reject' })).toMatchObject({
      status: 422,
      body: { code: 'approval.reason_missing', errors: [{ pointer: '/comment' }] },
    });
    const rejected = await review(ada.token, request, { verdict: 'reject', comment: 'not on a Friday' });
    expect(expectStatus(rejected, 201).body).toMatchObject({
      state: 'denied',
      closed_reason: { code: 'approval.rejected' },
    });
  });

  it('is withdrawn by those who asked', async () => {
    const request = await asked();
    expect(refusal(await api.http(ada.token).post(`/v1/approval-requests/${request.id}/withdraw`))).toEqual([
      403,
      'task.not_yours',
    ]);
    expect(expectStatus(await agent.post(`/v1/approval-requests/${request.id}/withdraw`), 200).body.state).toBe(
      'voided',
    );
    expect(refusal(await review(ada.token, request))).toEqual([409, 'approval.voided']);
  });

  it('of another tenant is not there (T19)', async () => {
    const request = await asked();
    const stranger = api.http((await api.tenant()).admin.token);
    const [theirs, never] = [
      await stranger.get(`/v1/approval-requests/${request.id}`),
      await stranger.get(`/v1/approval-requests/${v7()}`),
    ];
    expect([theirs.status, theirs.body.code, theirs.body.detail]).toEqual([404, never.body.code, never.body.detail]);
  });
});

describe('the start over HTTP', () => {
  it('is denied before the approval, with the policy’s reasons, and happens with it if that was asked', async () => {
    const planId = await simulated();
    const tooEarly = await agent.post(`/v1/plans/${planId}/runs`);
    expect(refusal(tooEarly)).toEqual([403, 'policy.denied', 'approval.required']);
    expect(tooEarly.body.action).toBe('Ask for the approval of the plan.');
    const opened = await agent.post(`/v1/plans/${planId}/approval-requests`, { start: 'on_approval' });
    const request = expectStatus(opened, 201).body as ApprovalRequestView;
    const halfway = await agent.post(`/v1/plans/${planId}/runs`);
    expect(refusal(halfway)).toEqual([403, 'policy.denied', 'approval.required']);
    expect(halfway.body.action).toContain(`the request ${request.id} is still open`);
    expectStatus(await review(ada.token, request), 201);
    expect(expectStatus(await review(ben.token, request), 201).body).toMatchObject({ state: 'consumed' });
    expect(refusal(await review(ben.token, request))).toEqual([409, 'approval.consumed']);
    const runs = expectStatus(await agent.get(`/v1/runs?plan_id=${planId}`), 200).body.items as object[];
    expect(runs).toHaveLength(1);
    expect(runs[0]).toMatchObject({ state: 'queued' });
  });
});

describe('T01 over HTTP', () => {
  it('an executor moved while approval is pending: the review voids it and names the digest', async () => {
    const request = await asked();
    expectStatus(await review(ada.token, request), 201);
    expectStatus(
      await admin.put('/v1/environments/production/executors/fleet', { ...executor, audience: 'elsewhere' }),
      200,
    );
    const refused = await review(ben.token, request);
    expect(refusal(refused)).toEqual([409, 'approval.binding_changed']);
    expect(refused.body.details).toEqual({ changed: [{ member: 'executors', names: ['fleet'] }] });
    expect(expectStatus(await agent.get(`/v1/approval-requests/${request.id}`), 200).body).toMatchObject({
      state: 'voided',
      closed_reason: { code: 'approval.binding_changed', details: { changed: ['executors'], names: ['fleet'] } },
    });
    expectStatus(await admin.put('/v1/environments/production/executors/fleet', executor), 200);
  });
});

describe('T03 over HTTP', () => {
  const SOD = [403, 'policy.denied', 'review.separation_of_duties'];
  const SAME_HAND = [403, 'policy.denied', 'review.same_hand'];

  it('refuses the accountable owner, with any of their tokens', async () => {
    const request = await asked();
    expect(refusal(await review(owner.token, request))).toEqual(SOD);
    expect(refusal(await review(await api.token(owner, 'review'), request))).toEqual(SOD);
  });

  it('refuses the person it acts for', async () => {
    const request = await asked(api.http(await api.delegation(bot, ada, 'read', 'submit')));
    expect(request.excluded).toContainEqual({ person_id: ada.id, why: 'on_behalf_of' });
    expect(refusal(await review(ada.token, request))).toEqual(SOD);
  });

  it('refuses the maker of the token with which the owner came in, and no other person', async () => {
    const pia = await api.person(tenant);
    await cameInByHand(api, tenant.id, pia.id, ada.id);
    const request = await asked(api.http((await api.agent(tenant, pia)).token));
    expect(request.excluded).toContainEqual({ person_id: ada.id, why: 'same_hand', shares_with: pia.id });
    const refused = await review(ada.token, request);
    expect(refusal(refused)).toEqual(SAME_HAND);
    expect(refused.body.reasons[0].message).toContain('shares one vote with');
    expect(refused.body.action).toContain('countersign bootstrap --person');
    expectStatus(await review(ben.token, request), 201);
  });

  it('no longer refuses them once an issuer knows the owner, and again if the issuer is trusted no more', async () => {
    const pia = await api.person(tenant);
    await cameInByHand(api, tenant.id, pia.id, ada.id);
    const { issuer } = await knownAtIssuer(api, tenant, pia);
    const asPia = api.http((await api.agent(tenant, pia)).token);
    expectStatus(await review(ada.token, await asked(asPia)), 201);

    const request = await asked(asPia);
    await api.db.owner.query('update issuer set disabled_at = updated_at where id = $1', [issuer]);
    expect(refusal(await review(ada.token, request))).toEqual(SAME_HAND);
  });

  it('refuses them if the owner comes in anew while the request waits', async () => {
    const pia = await api.person(tenant);
    const request = await asked(api.http((await api.agent(tenant, pia)).token));
    expect(request.excluded).not.toContainEqual(expect.objectContaining({ person_id: ada.id }));
    await cameInByHand(api, tenant.id, pia.id, ada.id);
    expect(refusal(await review(ada.token, request))).toEqual(SAME_HAND);
  });

  it('refuses a role gained after the request opened', async () => {
    const late = await api.person(tenant, 'DevOpsEngineer');
    const request = await asked();
    expectStatus(await admin.post(`/v1/people/${late.id}/roles`, { role: 'SRELead' }), 201);
    const tooYoung = await review(late.token, request);
    expect(refusal(tooYoung)).toEqual([403, 'policy.denied', 'review.role']);
    expect(tooYoung.body.action).toContain('Only a role that you held before the request opened counts');
  });
});

describe('T04 over HTTP', () => {
  it('refuses an agent, which can never hold the scope', async () => {
    const request = await asked();
    expect(refusal(await review(bot.token, request))[0]).toBe(403);
    const delegated = await api.delegation(bot, ada, 'read', 'submit');
    expect(refusal(await review(delegated, request))[0]).toBe(403);
    expect(expectStatus(await agent.get(`/v1/approval-requests/${request.id}/reviews`), 200).body.items).toEqual([]);
  });
});

describe('T05 over HTTP', () => {
  it('keeps one review of one person, and one terminal state', async () => {
    const request = await asked();
    const second = await api.token(ada, 'review');
    const both = await Promise.all([review(ada.token, request), review(second, request)]);
    expect(both.map(({ status }) => status)).toEqual([201, 201]);
    const cyd = await api.person(tenant, 'SRELead');
    expect(refusal(await review(cyd.token, request))).toEqual([403, 'policy.denied', 'review.role']);
    const no = { verdict: 'reject', comment: 'no' };
    const [approve, reject] = await Promise.all([review(ben.token, request), review(ada.token, request, no)]);
    expect([approve.status, reject.status].sort()).toEqual([201, 409]);
    const after = expectStatus(await agent.get(`/v1/approval-requests/${request.id}`), 200).body as ApprovalRequestView;
    expect(after.state).toBe(approve.status === 201 ? 'approved' : 'denied');
  });
});

describe('T06 over HTTP', () => {
  it('voids a request that stricter autonomy would not have let through', async () => {
    const request = await asked();
    const put = await admin.put('/v1/autonomy', autonomyDocument(true).replace('full_auto', 'canary_only'), {
      'if-match': (await admin.get('/v1/autonomy')).headers.etag ?? '',
    });
    expect(put.status).toBeLessThan(300);
    expect(refusal(await review(ada.token, request)).slice(0, 2)).toEqual([409, 'approval.stricter']);
    const back = await admin.put('/v1/autonomy', autonomyDocument(true), {
      'if-match': (await admin.get('/v1/autonomy')).headers.etag ?? '',
    });
    expect(back.status).toBeLessThan(300);
    expect(refusal(await review(ada.token, request))).toEqual([409, 'approval.voided']);
  });
});

describe('T07 over HTTP', () => {
  it('refuses an admin without the role', async () => {
    const boss = await api.person(tenant, 'PlatformAdmin');
    const request = await asked();
    const refused = await review(boss.token, request);
    expect(refusal(refused)).toEqual([403, 'policy.denied', 'review.role']);
    expect(refused.body.detail).toMatch(/^User .+ not authorized to approve$/);
    const shown = expectStatus(await api.http(boss.token).get(`/v1/approval-requests/${request.id}`), 200).body;
    expect(shown.may_review).toMatchObject({
      outcome: 'deny',
      reasons: [{ code: 'review.role', message: refused.body.detail }],
    });
  });

  it('refuses the minter of the token of the agent that asks (T03)', async () => {
    const request = await asked();
    expect(refusal(await review(tenant.admin.token, request))).toEqual([
      403,
      'policy.denied',
      'review.role',
      'review.separation_of_duties',
    ]);
    const shown = expectStatus(await admin.get(`/v1/approval-requests/${request.id}`), 200).body;
    expect(shown.autonomy_line).toMatchObject({ revision: expect.any(Number) as number, line: 5 });
    const { items } = expectStatus(await agent.get('/v1/approval-requests?limit=200'), 200).body as {
      items: ApprovalRequestView[];
    };
    expect(items.find(({ id }) => id === shown.id)?.autonomy_line).toEqual(shown.autonomy_line);
  });
});

describe('halts over HTTP', () => {
  it('are set by an agent in one request, hold at once, and are lifted by a person with the role', async () => {
    const set = expectStatus(await agent.post('/v1/halts', { kind: 'agent', agent_id: bot.id, reason: 'smoke' }), 201);
    expect(set.body).toMatchObject({
      active: true,
      agent_id: bot.id,
      created_by: { kind: 'agent', id: bot.id },
      effect: { paused_runs: [], in_flight: [] },
    });
    const lift = `/v1/halts/${String(set.body.id)}/lift`;
    expect((await agent.post(lift, { note: 'fine again' })).status).toBe(403);
    const engineer = await api.person(tenant, 'DevOpsEngineer');
    expect((await api.http(engineer.token).post(lift, { note: 'fine again' })).status).toBe(403);
    expect((await api.http(ada.token).post(lift, {})).status).toBe(422);
    const lifted = expectStatus(await api.http(ada.token).post(lift, { note: 'fine again' }), 200);
    expect(lifted.body).toMatchObject({ active: false, lift_note: 'fine again', lifted_by: { id: ada.id } });
    expect(refusal(await api.http(ada.token).post(lift, { note: 'again' }))).toEqual([409, 'halt.already_lifted']);
    expect(expectStatus(await agent.get('/v1/halts?active=true'), 200).body.items).toEqual([]);
    expect(expectStatus(await agent.get('/v1/halts?active=false'), 200).body.items).toHaveLength(1);
    expect(expectStatus(await agent.get(`/v1/halts/${String(set.body.id)}`), 200).body.active).toBe(false);
  });

  it('deny every plan that is decided under them, with the reason', async () => {
    const task = expectStatus(await agent.post('/v1/tasks', anotherTaskSpec()), 201).body as { id: string };
    const plan = expectStatus(await agent.post(`/v1/tasks/${task.id}/plans`, rolloutPlan()), 201).body as {
      id: string;
    };
    const halt = expectStatus(
      await api.http(ada.token).post('/v1/halts', { kind: 'tool', tool: 'execute_rollout_prod', reason: 'smoke' }),
      201,
    );
    expect(refusal(await agent.post(`/v1/plans/${plan.id}/simulations`))).toContain('halt.active');
    expect(refusal(await agent.post(`/v1/plans/${plan.id}/approval-requests`, { start: 'manual' }))).toContain(
      'halt.active',
    );
    expectStatus(await api.http(ada.token).post(`/v1/halts/${String(halt.body.id)}/lift`, { note: 'fine again' }), 200);
  });

  it.each([
    [{ kind: 'environment', environment: 'prodction', reason: 'smoke' }, 'halt.unknown_environment', '/environment'],
    [{ kind: 'tool', tool: 'execute_rolout_prod', reason: 'smoke' }, 'halt.unknown_tool', '/tool'],
    [{ kind: 'agent', agent_id: v7(), reason: 'smoke' }, 'halt.unknown_agent', '/agent_id'],
  ])('of an unknown scope are refused, since they would stop nothing: %j', async (body, code, pointer) => {
    expect(await admin.post('/v1/halts', body)).toMatchObject({ status: 422, body: { code, errors: [{ pointer }] } });
  });
});
