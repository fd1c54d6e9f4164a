import { readFileSync } from 'node:fs';
import type { RunDetailView, RunWorkView } from '#lib/api-schemas';
import { expectStatus, testApi, type HttpAs, type TestApi } from '../support/api.js';
import { anotherTaskSpec } from '../support/stages.js';
import { toolServer, type ToolServer } from '../support/tool-server.js';
import { workerOf } from '../support/worker.js';

const WITHIN_MS = 60_000;

const AUTONOMY = `autonomy:
  mode: plan_only
  environments:
    staging:
      mode: full_auto
`;

let api: TestApi;
/** Only predicts: the agent executes the calls itself. */
let predictor: ToolServer;
let worker: { stop(): Promise<void> };
let agent: HttpAs;
let otherAgent: HttpAs;
let person: HttpAs;
let targets = 0;

beforeAll(async () => {
  predictor = await toolServer({
    before: () => true,
    result: () => ({
      affected_assets: 1,
      estimated_duration_minutes: 1,
      predicted_risk: 'low',
      health_check_points: [],
      details: null,
    }),
  });
  const host = new URL(predictor.url).host;
  api = await testApi({ config: { allowedPrivateHosts: [host] } });
  worker = await workerOf(api, { demoWaitScale: 1 });
  const tenant = await api.tenant();
  const admin = api.http(tenant.admin.token);
  const [before, tool, ...rest] = readFileSync('catalog/adr-009.yaml', 'utf8').split(/(?=execute_rollout_nonprod:\n)/);
  const catalog = [before, tool?.replace('executor: fleet', 'executor: hands'), ...rest].join('');
  expectStatus(await admin.put('/v1/tools', catalog), 200);
  const fleet = { kind: 'http', url: `${predictor.url}/tools`, audience: 'fleet' };
  expectStatus(await admin.put('/v1/environments/staging/executors/fleet', fleet), 200);
  expectStatus(await admin.put('/v1/environments/staging/executors/hands', { kind: 'agent' }), 200);
  const put = await admin.put('/v1/autonomy', AUTONOMY);
  if (put.status >= 300) throw new Error(put.text);
  const owner = await api.person(tenant);
  person = api.http(owner.token);
  agent = api.http((await api.agent(tenant, owner)).token);
  otherAgent = api.http((await api.agent(tenant, owner)).token);
}, 120_000);

afterAll(async () => {
  await worker.stop();
  await api.close();
  await predictor.close();
});

type Item = RunWorkView['items'][number];

/** A started run of one call in staging, which the agent carries out itself. */
async function started(): Promise<string> {
  const task = expectStatus(await agent.post('/v1/tasks', anotherTaskSpec({ environment: 'staging' })), 201).body
    .id as string;
  const name = `web-${String((targets += 1))}`;
  const phase = {
    name: 'all',
    canary: false,
    targets: [name],
    batch_percent: 100,
    health_checks: [],
    steps: [
      {
        id: 'rollout',
        tool: 'execute_rollout_nonprod',
        arguments: { targets: { $batch: 'targets' }, image: 'web-2026-11' },
        on_failure: 'pause',
      },
    ],
  };
  const plan = expectStatus(await agent.post(`/v1/tasks/${task}/plans`, { phases: [phase] }), 201).body.id as string;
  const simulation = expectStatus(await agent.post(`/v1/plans/${plan}/simulations`), 202).body.id as string;
  await eventually(async () =>
    (await agent.get(`/v1/simulations/${simulation}`)).body.state === 'succeeded' ? true : undefined,
  );
  return expectStatus(await agent.post(`/v1/plans/${plan}/runs`), 201).body.id as string;
}

async function eventually<T>(ask: () => Promise<T | undefined>): Promise<T> {
  const deadline = performance.now() + WITHIN_MS;
  for (;;) {
    const found = await ask();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error('it did not come to that in time');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const workOf = (run: string): Promise<Item> =>
  eventually(async () => {
    const { items } = expectStatus(await agent.get(`/v1/runs/${run}/work`), 200).body as unknown as RunWorkView;
    return items[0];
  });

const ended = (run: string, state: string): Promise<RunDetailView> =>
  eventually(async () => {
    const body = (await agent.get(`/v1/runs/${run}`)).body as unknown as RunDetailView;
    return body.state === state ? body : undefined;
  });

const report = (item: Item, more: object = {}) => ({
  outcome: 'succeeded',
  jti: item.attempt_id,
  arguments_digest: item.arguments_digest,
  result: { affected_assets: 1 },
  ...more,
});

describe('an agent that carries out its calls itself', () => {
  it('fetches the call with its grant, redeems that once, reports, and is shown as unverified', async () => {
    const run = await started();
    const item = await workOf(run);
    expect(item).toMatchObject({
      step_id: 'rollout',
      tool: 'execute_rollout_nonprod@1',
      arguments: { targets: [`web-${String(targets)}`], image: 'web-2026-11' },
    });
    const redeem = { grant: item.grant, audience: 'hands.staging', environment: 'staging' };
    expect(expectStatus(await agent.post('/v1/grants/redeem', redeem), 200).body.claims).toMatchObject({
      jti: item.attempt_id,
      arguments_digest: item.arguments_digest,
      source: { type: 'run', id: run },
    });
    expect((await agent.post('/v1/grants/redeem', redeem)).body.code).toBe('grant.already_redeemed');

    expectStatus(await agent.post(`/v1/runs/${run}/attempts/${item.attempt_id}/report`, report(item)), 200);
    const done = await ended(run, 'completed');
    expect(done.steps[0]?.attempts).toEqual([
      expect.objectContaining({ unverified: true, outcome: 'succeeded', executor: 'hands', executor_version: 1 }),
    ]);
  }, 120_000);

  it('is the only one to be offered a call and to report it, once, with the approved arguments', async () => {
    const run = await started();
    const item = await workOf(run);
    const path = `/v1/runs/${run}/attempts/${item.attempt_id}/report`;
    for (const other of [otherAgent, person]) {
      expect(expectStatus(await other.get(`/v1/runs/${run}/work`), 200).body.items).toEqual([]);
      expect(expectStatus(await other.post(path, report(item)), 403).body.code).toBe('run_attempt.not_yours');
    }
    const refused = async (more: object): Promise<unknown> =>
      expectStatus(await agent.post(path, report(item, more)), 409).body.code;
    expect(await refused({ arguments_digest: `sha256:${'0'.repeat(64)}` })).toBe('run_attempt.arguments_differ');
    expect(await refused({ jti: run })).toBe('run_attempt.grant_differs');
    expectStatus(await agent.post(path, report(item)), 200);
    expectStatus(await agent.post(path, report(item)), 200);
    expect(await refused({ result: { another: true } })).toBe('run_attempt.already_reported');
    await ended(run, 'completed');
  }, 120_000);

  it('is too late after the lease: its report is kept, and the effect is unknown', async () => {
    const run = await started();
    const item = await workOf(run);
    await api.db.owner.query(
      "update run_step set lease_until = clock_timestamp() - interval '1 second' where run_id = $1",
      [run],
    );
    const late = await agent.post(`/v1/runs/${run}/attempts/${item.attempt_id}/report`, report(item));
    expect(expectStatus(late, 409).body.code).toBe('run_attempt.late');
    await api.db.owner.query('update run set next_at = clock_timestamp() where id = $1', [run]);
    const paused = await ended(run, 'paused');
    expect(paused.reason?.code).toBe('run.effect_unknown');
    expect(paused.steps[0]?.attempts[0]).toMatchObject({
      unverified: true,
      outcome: 'unknown',
      late_result: { kind: 'succeeded', result: { affected_assets: 1 } },
    });
  }, 120_000);
});
