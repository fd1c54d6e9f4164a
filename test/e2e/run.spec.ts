import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import type { RunDetailView } from '#lib/api-schemas';
import { expectStatus, testApi, type Answer, type HttpAs, type TestApi, type TestPerson } from '../support/api.js';
import { rolloutPlan, anotherTaskSpec } from '../support/stages.js';
import { toolServer, type CallHooks, type ToolServer } from '../support/tool-server.js';
import { workerOf } from '../support/worker.js';

const WITHIN_MS = 60_000;

const autonomy = (mode: string): string => `autonomy:
  mode: plan_only
  environments:
    production:
      mode: ${mode}
      allowed_approvers: [SRELead]
`;

let api: TestApi;
let fleet: ToolServer;
let worker: { stop(): Promise<void> };
let admin: HttpAs;
let agent: HttpAs;
let lead: TestPerson;
/** The metrics that health checks report. */
let errorRate = 0;
let firstTarget = 0;
/** An event while a call is in flight. */
let beforeCall: CallHooks['before'] = () => true;

/** Targets that no other test touches. */
const newTargets = (): string[] => {
  firstTarget += 25;
  return Array.from({ length: 25 }, (_each, index) => `web-${String(firstTarget + index)}`);
};

beforeAll(async () => {
  fleet = await toolServer({
    before: (call) => beforeCall(call),
    result: (call) =>
      call.tool === 'simulate_rollout'
        ? {
            affected_assets: 1,
            estimated_duration_minutes: 1,
            predicted_risk: 'medium',
            health_check_points: [],
            details: null,
          }
        : { metrics: { error_rate: errorRate } },
  });
  const host = new URL(fleet.url).host;
  api = await testApi({ config: { allowedPrivateHosts: [host] } });
  worker = await workerOf(api);
  const tenant = await api.tenant();
  admin = api.http(tenant.admin.token);
  expectStatus(await admin.put('/v1/tools', readFileSync('catalog/adr-009.yaml', 'utf8')), 200);
  const executor = { kind: 'http', url: `${fleet.url}/tools`, audience: 'fleet' };
  expectStatus(await admin.put('/v1/environments/production/executors/fleet', executor), 200);
  lead = await api.person(tenant, 'SRELead');
  agent = api.http((await api.agent(tenant, await api.person(tenant))).token);
}, 120_000);

afterAll(async () => {
  await worker.stop();
  await api.close();
  await fleet.close();
});

beforeEach(async () => {
  errorRate = 0;
  beforeCall = () => true;
  await putAutonomy('full_auto');
});

async function putAutonomy(mode: string): Promise<void> {
  const inForce = await admin.get('/v1/autonomy');
  const etag = inForce.headers.etag;
  const answer = await admin.put(
    '/v1/autonomy',
    autonomy(mode),
    inForce.status === 200 && etag !== undefined ? { 'if-match': etag } : {},
  );
  if (answer.status >= 300) throw new Error(answer.text);
}

/** Asks until the answer is as wanted. */
async function eventually(
  ask: () => Promise<Answer>,
  wanted: (body: Answer['body']) => boolean,
): Promise<Answer['body']> {
  const deadline = performance.now() + WITHIN_MS;
  for (;;) {
    const answer = await ask();
    if (answer.status === 200 && wanted(answer.body)) return answer.body;
    if (performance.now() > deadline) throw new Error(`it did not come to that in time: ${answer.text}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function planned(targets: string[]): Promise<{ readonly task: string; readonly plan: string }> {
  const task = expectStatus(await agent.post('/v1/tasks', anotherTaskSpec()), 201).body.id as string;
  const submitted = await agent.post(`/v1/tasks/${task}/plans`, rolloutPlan('web-2026-11', targets));
  return { task, plan: expectStatus(submitted, 201).body.id as string };
}

/** Simulates the plan, has it approved, and gives the run that follows. */
async function approvedRun(plan: string): Promise<string> {
  const simulation = expectStatus(await agent.post(`/v1/plans/${plan}/simulations`), 202).body.id as string;
  await eventually(
    () => agent.get(`/v1/simulations/${simulation}`),
    (body) => body.state === 'succeeded',
  );
  const request = expectStatus(await agent.post(`/v1/plans/${plan}/approval-requests`, {}), 201).body as {
    id: string;
    subject: { digest: string };
  };
  const review = { verdict: 'approve', subject_digest: request.subject.digest };
  expectStatus(await api.http(lead.token).post(`/v1/approval-requests/${request.id}/reviews`, review), 201);
  const runs = expectStatus(await agent.get(`/v1/runs?plan_id=${plan}`), 200).body.items as { id: string }[];
  return runs[0]?.id ?? '';
}

const ended = (run: string): Promise<RunDetailView> =>
  eventually(
    () => agent.get(`/v1/runs/${run}`),
    (body) => body.finished_at !== null,
  ) as Promise<RunDetailView>;

const rolledOut = (targets: readonly string[]): readonly string[] =>
  fleet.ledger
    .filter((call) => call.tool === 'execute_rollout_prod')
    .flatMap((call) => call.arguments.targets as string[])
    .filter((name) => targets.includes(name));

describe('a run over HTTP', () => {
  it('executes the approved calls, batch by batch, and is held against its prediction', async () => {
    const targets = newTargets();
    const { task, plan } = await planned(targets);
    const run = await ended(await approvedRun(plan));
    expect(run).toMatchObject({
      state: 'completed',
      scope: 'all',
      environment: 'production',
      autonomy: { mode: 'full_auto' },
      explanation: { decision: { outcome: 'allow' } },
      outcome: { affected_assets: 25, calls: { failed: 0, not_started: 0 } },
    });
    expect(run.predicted?.affected_assets).toBeGreaterThan(0);
    expect([...rolledOut(targets)].sort()).toEqual([...targets].sort());
    expect(expectStatus(await agent.get(`/v1/tasks/${task}`), 200).body.state).toBe('completed');
    const { tools } = expectStatus(await agent.get('/v1/simulations/accuracy'), 200).body as {
      tools: { tool: string; runs: number }[];
    };
    expect(tools).toContainEqual(
      expect.objectContaining({ tool: expect.stringContaining('execute_rollout_prod') as string }),
    );
  }, 120_000);

  it('is the comparison for a later plan of its kind, also of another task', async () => {
    const before = await planned(newTargets());
    const after = await planned(newTargets());
    const diff = (plan: string) => agent.get(`/v1/plans/${plan}/diff?against=last_executed`);
    await ended(await approvedRun(before.plan));
    expect(expectStatus(await diff(after.plan), 200).body).toMatchObject({
      before: { id: before.plan },
      after: { id: after.plan },
    });
    expect(expectStatus(await diff(before.plan), 200).body.before.id).not.toBe(before.plan);
    const task = expectStatus(await agent.post('/v1/tasks', anotherTaskSpec({ task_type: 'never_seen' })), 201).body
      .id as string;
    const other = expectStatus(
      await agent.post(`/v1/tasks/${task}/plans`, rolloutPlan('web-2026-11', newTargets())),
      201,
    ).body.id as string;
    expect(expectStatus(await diff(other), 409).body.code).toBe('plan.none_executed');
  }, 120_000);

  it('rolls back by itself when a health check meets the condition', async () => {
    const targets = newTargets();
    const { plan } = await planned(targets);
    errorRate = 0.5;
    const run = await ended(await approvedRun(plan));
    expect(run).toMatchObject({
      state: 'rolled_back',
      rollback_reason: { code: 'run.rollback_condition_met' },
      outcome: { not_undone: [] },
    });
    expect(run.health.at(-1)).toMatchObject({ verdict: 'roll_back', metrics: { 'web.error_rate': 0.5 } });
    const back = fleet.ledger
      .filter((call) => call.arguments.image === 'web-2026-10')
      .flatMap((call) => call.arguments.targets as string[]);
    expect(back.filter((name) => targets.includes(name)).sort()).toEqual(
      rolledOut(targets)
        .slice(0, back.length)
        .filter((name) => targets.includes(name))
        .sort(),
    );
  }, 120_000);

  it('ends with its canary in canary_only, and promotes the rest by a new approval', async () => {
    await putAutonomy('canary_only');
    const targets = newTargets();
    const { task, plan } = await planned(targets);
    const canary = await ended(await approvedRun(plan));
    expect(canary).toMatchObject({ state: 'completed', scope: 'canary', outcome: { affected_assets: 5 } });
    expect(rolledOut(targets)).toHaveLength(5);
    expect(expectStatus(await agent.get(`/v1/tasks/${task}`), 200).body.state).toBe('planned');

    await putAutonomy('full_auto');
    const promotion = await ended(await approvedRun(plan));
    expect(promotion).toMatchObject({ state: 'completed', scope: 'promotion', outcome: { affected_assets: 20 } });
    expect([...rolledOut(targets)].sort()).toEqual([...targets].sort());
    expect(expectStatus(await agent.get(`/v1/tasks/${task}`), 200).body.state).toBe('completed');
  }, 120_000);

  it('T06: pauses when a reviewer has lost the role, and says so with their name', async () => {
    const { plan } = await planned(newTargets());
    const person = `/v1/people/${lead.id}`;
    const { display_name: name } = expectStatus(await admin.get(person), 200).body as { display_name: string };
    beforeCall = async (call) => {
      if (call.tool === 'execute_rollout_prod') await admin.delete(`${person}/roles/SRELead`);
      return true;
    };
    const run = await approvedRun(plan);
    const paused = await eventually(
      () => agent.get(`/v1/runs/${run}`),
      (body) => body.state === 'paused',
    );
    const message = `User ${name} not authorized to approve`;
    expect(paused.reason).toMatchObject({
      code: 'run.not_allowed',
      message: expect.stringContaining(message) as string,
      reasons: expect.arrayContaining([expect.objectContaining({ message })]) as unknown,
    });
    expect(JSON.stringify(paused.reason)).not.toContain(lead.id);
    expectStatus(await admin.post(`${person}/roles`, { role: 'SRELead' }), 201);
    expectStatus(await agent.post(`/v1/runs/${run}/cancel`, {}), 202);
  }, 120_000);

  it('lists its events in order, and sends them as they happen', async () => {
    const { plan } = await planned(newTargets());
    const run = await approvedRun(plan);
    await api.app.listen(0, '127.0.0.1');
    const { port } = api.app.getHttpServer().address() as AddressInfo;
    const stream = await fetch(`http://127.0.0.1:${String(port)}/v1/runs/${run}/events`, {
      headers: { authorization: `Bearer ${lead.token}`, accept: 'text/event-stream' },
    });
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    const sent = (await stream.text())
      .split('\n')
      .filter((line) => line.startsWith('id: '))
      .map((line) => Number(line.slice(4)));
    const listed = expectStatus(await agent.get(`/v1/runs/${run}/events?limit=200`), 200).body.items as {
      seq: number;
    }[];
    expect(sent).toEqual(listed.map((event) => event.seq));
    expect(sent).toEqual(sent.map((_seq, index) => index + 1));

    const rest = await fetch(`http://127.0.0.1:${String(port)}/v1/runs/${run}/events`, {
      headers: { authorization: `Bearer ${lead.token}`, accept: 'text/event-stream', 'last-event-id': '3' },
    });
    expect(await rest.text()).toMatch(/^id: 4\n/);

    const page = expectStatus(await agent.get(`/v1/runs/${run}/events?limit=2`), 200).body as { next_cursor: string };
    const next = expectStatus(await agent.get(`/v1/runs/${run}/events?limit=2&cursor=${page.next_cursor}`), 200).body
      .items as { seq: number }[];
    expect(next.map((event) => event.seq)).toEqual([3, 4]);
  }, 120_000);

  it('is resumed and resolved by people alone', async () => {
    const { plan } = await planned(newTargets());
    const run = await approvedRun(plan);
    expect((await agent.post(`/v1/runs/${run}/resume`, {})).status).toBe(403);
    const { steps } = expectStatus(await agent.get(`/v1/runs/${run}`), 200).body as RunDetailView;
    const path = `/v1/runs/${run}/steps/${steps[0]?.id ?? ''}/resolve`;
    expect((await agent.post(path, { effect: 'happened', note: 'trust me' })).status).toBe(403);
    await ended(run);
    const late = await api.http(lead.token).post(path, { effect: 'happened', note: 'too late' });
    expect([late.status, late.body.code]).toEqual([409, 'run.wrong_state']);
  }, 120_000);
});
