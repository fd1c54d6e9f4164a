import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { parse } from 'yaml';
import type { ToolCallView } from '#lib/api-schemas';
import type { PersonId } from '#lib/kernel';
import { CountersignClient, grantVerifier, makeToolCall } from '#lib/sdk';
import { serverPort } from '../support/server-port.js';
import {
  assignByHand,
  expectStatus,
  operatorToken,
  testApi,
  type HttpAs,
  type TestApi,
  type TestPerson,
  type TestTenant,
} from '../support/api.js';
import { callProxy, type CallProxy } from '../support/call-proxy.js';
import { startFleet, type Fleet } from '../support/fleet.js';
import { cameIn, pageOf } from '../support/passkey-accounts.js';
import { keepTestKeyring } from '../support/seals.js';
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process.js';

const WITHIN_MS = 50_000;
const ROLLOUT = { targets: ['stage-web-01'], image: 'web-2026-12' };
const AUTONOMY = `autonomy:
  mode: plan_only
  environments:
    staging:
      mode: full_auto
`;

const data = mkdtempSync(join(tmpdir(), 'countersign-calls-'));
/** Called once the fleet has answered a call of the worker, which is killed then; null if it may live. */
let strike: (() => void) | null = null;
/** How many calls have come to the fleet. */
let calls = 0;
let api: TestApi;
/** Another process, which serves the browser. */
let pages: TestApi;
let tenant: TestTenant;
let admin: HttpAs;
let agent: HttpAs;
let agentToken: string;
let owner: TestPerson;
/** A session in which changes need no answer. */
let sessionId: string;
/** The headers of the owner's browser. */
let page: Record<string, string>;
let fleet: Fleet;
let proxy: CallProxy;
let worker: WorkerProcess;
let publicUrl: string;

const startWorker = (): Promise<WorkerProcess> =>
  startWorkerProcess({
    DATABASE_URL: api.db.url,
    COUNTERSIGN_DATA: data,
    COUNTERSIGN_PUBLIC_URL: publicUrl,
    COUNTERSIGN_ALLOWED_PRIVATE_HOSTS: new URL(proxy.url).host,
    COUNTERSIGN_LEASE_MARGIN_MS: '100',
    COUNTERSIGN_LOOK_MS: '200',
  });

/** A rollout that needs no plan here, the same for the agent's own hands, and two that read. */
function catalog(): string {
  const { tools } = parse(readFileSync('catalog/adr-009.yaml', 'utf8')) as {
    readonly tools: Readonly<Record<string, object>>;
  };
  const alone = { requires_plan: false, simulated_by: null, simulation: 'not_applicable', canary: false };
  const rollout = {
    ...tools.execute_rollout_nonprod,
    ...alone,
    scope: 'asset',
    idempotent: true,
    time_limit_seconds: 60,
  };
  return JSON.stringify({
    tools: {
      query_assets: tools.query_assets,
      get_drift_status: { ...tools.get_drift_status, idempotent: false, time_limit_seconds: 60 },
      execute_rollout_nonprod: rollout,
      roll_out_by_hand: { ...rollout, executor: 'hands' },
    },
  });
}

beforeAll(async () => {
  keepTestKeyring(data);
  const port = await serverPort();
  publicUrl = `http://127.0.0.1:${String(port)}`;
  const config = {
    publicUrl,
    keyDirectory: join(data, 'keys'),
    allowedPrivateHosts: ['127.0.0.1'],
    leaseMarginMs: 100,
  };
  api = await testApi({ config });
  await api.app.listen(port, '127.0.0.1');
  pages = await testApi({ db: api.db, config: { keyDirectory: config.keyDirectory } });
  tenant = await api.tenant();
  fleet = await startFleet(publicUrl, tenant.id);
  const survives = (): boolean => {
    if (strike === null) return true;
    process.kill(worker.pid, 'SIGKILL');
    strike();
    strike = null;
    return false;
  };
  proxy = await callProxy(fleet.url, {
    before: () => {
      calls += 1;
      return true;
    },
    after: survives,
    answered: () => undefined,
  });
  admin = api.http(tenant.admin.token);
  expectStatus(await admin.put('/v1/tools', catalog()), 200);
  const server = { kind: 'http', url: `${proxy.url}/tools`, audience: 'fleet' };
  expectStatus(await admin.put('/v1/environments/staging/executors/fleet', server), 200);
  expectStatus(await admin.put('/v1/environments/staging/executors/hands', { kind: 'agent' }), 200);
  expectStatus(await admin.put('/v1/autonomy', AUTONOMY), 200);
  const added = await admin.post('/v1/people', { email: 'ada@example.com', display_name: 'Ada' });
  const { id } = expectStatus(added, 201).body as { id: PersonId };
  await assignByHand(api, tenant.id, { personId: id, role: 'SRELead', assignedBy: tenant.admin.id });
  const { cookie } = await cameIn(pages, await operatorToken(api, tenant.id, id));
  page = await pageOf(pages, cookie);
  const minted = await pages.http().post('/v1/tokens', { name: 'laptop', scopes: ['read', 'run'] }, page);
  owner = { id, email: '', token: expectStatus(minted, 201).body.token as string };
  const bot = await api.agent(tenant, owner);
  agentToken = bot.token;
  agent = api.http(agentToken);
  const wanted = { environment: 'staging', preset: 'levels', calls_per_turn: 64, agent_ids: [bot.id] };
  sessionId = String(expectStatus(await pages.http().post('/v1/sessions', wanted, page), 201).body.id);
  worker = await startWorker();
}, 120_000);

afterAll(async () => {
  await worker.kill();
  await proxy.close();
  await fleet.close();
  await pages.close();
  await api.close();
  rmSync(data, { recursive: true, force: true });
});

/** Has the worker killed in its next call. Resolves once it is. */
const killed = (): Promise<void> =>
  new Promise((resolve) => {
    strike = resolve;
  });

const asked = async (tool: string, args: object, more: object = {}): Promise<ToolCallView> => {
  const body = { tool, arguments: args, ...more };
  return expectStatus(await agent.post(`/v1/sessions/${sessionId}/tool-calls`, body), 201).body as ToolCallView;
};
const read = async (id: string): Promise<ToolCallView> =>
  expectStatus(await agent.get(`/v1/tool-calls/${id}`), 200).body as ToolCallView;

async function until(id: string, state: ToolCallView['outcome']): Promise<ToolCallView> {
  const deadline = performance.now() + WITHIN_MS;
  for (;;) {
    const call = await read(id);
    if (call.outcome === state) return call;
    if (performance.now() > deadline) throw new Error(`the call is ${JSON.stringify(call)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Has the time pass in which the answer of a call is awaited. */
const endLease = async (id: string): Promise<void> => {
  await api.db.owner.query('update tool_call set lease_until = clock_timestamp() where id = $1', [id]);
};

const arrived = async (id: string) => (await fleet.ledger()).filter(({ idempotency_key: key }) => key === id);

/** By the database's clock: ids of two processes are in no order. */
const trail = async (id: string): Promise<readonly string[]> => {
  const { rows } = await api.db.owner.query<{ action: string }>(
    `select action from audit_entry where tenant_id = $1 and subject_type = 'tool_call' and subject_id = $2 order by occurred_at, id`,
    [tenant.id, id],
  );
  return rows.map(({ action }) => action);
};

/** The request about the call of a session that waits. */
async function pendingRequest(session: string): Promise<{ readonly id: string; readonly digest: string }> {
  const deadline = performance.now() + WITHIN_MS;
  for (;;) {
    const { rows } = await api.db.owner.query<{ request_id: string }>(
      "select request_id from tool_call where tenant_id = $1 and session_id = $2 and state = 'pending'",
      [tenant.id, session],
    );
    const [row] = rows;
    if (row !== undefined) {
      const path = `/v1/approval-requests/${row.request_id}`;
      const { id, subject } = expectStatus(await pages.http().get(path, page), 200).body;
      return { id: id as string, digest: (subject as { digest: string }).digest };
    }
    if (performance.now() > deadline) throw new Error('no call waits');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Output that a runner sent of this call. */
async function writtenByRunner(callId: string, text: string): Promise<void> {
  await api.db.owner.query(
    `with dispatched as (
       insert into runner_dispatch (tenant_id, id, pool, environment, executor, source_type, source_id, step, attempt, tool,
                                    tool_version, arguments, with_secrets, idempotency_key, grant_token, state, offered_at,
                                    offered_until, answer_by, output_seq)
       values ($1, gen_random_uuid(), 'builders', 'staging', 'fleet', 'tool_call', $2, 's', 1, 'shell', 1, '{}', false, 'k', 'a grant',
               'waiting', now(), now() + interval '10 seconds', now() + interval '20 seconds', 1)
       returning id)
     insert into runner_output (tenant_id, dispatch_id, seq, stream, text, at)
     select $1, id, 1, 'stdout', $3, now() from dispatched`,
    [tenant.id, callId, text],
  );
}

describe('a call that Countersign sends', () => {
  it('of a session is executed by the fleet under its grant, and stands in the audit of the session', async () => {
    const session = String(expectStatus(await agent.post('/v1/sessions', { environment: 'staging' }), 201).body.id);
    const asks = { tool: 'query_assets', arguments: { role: 'web' }, client_call_id: 'look' };
    const path = `/v1/sessions/${session}/tool-calls`;
    const call = expectStatus(await agent.post(path, asks), 201).body as unknown as ToolCallView;
    expect(call).toMatchObject({ outcome: 'allowed', answered_by: 'executor' });
    const done = await until(call.id, 'succeeded');
    expect(JSON.stringify(done.execution?.result)).toContain('stage-web-01');
    expect(expectStatus(await agent.post(path, asks), 201).body).toEqual(done);
    const { rows } = await api.db.owner.query(
      `select entry.action from audit_entry entry
        where entry.tenant_id = $1 and entry.subject_id = $2 and entry.within::jsonb @> $3`,
      [tenant.id, call.id, JSON.stringify([{ type: 'session', id: session }])],
    );
    expect(rows).toHaveLength(3);
  });

  it('that a person approves in the browser is executed, while its agent waits for the answer', async () => {
    const wanted = { environment: 'staging', preset: 'modes', mode: 'always-ask' };
    const session = String(expectStatus(await agent.post('/v1/sessions', wanted), 201).body.id);
    const call = { tool: 'query_assets', arguments: { role: 'web' } };
    const made = makeToolCall(new CountersignClient({ baseUrl: publicUrl, token: agentToken }), call, { session });
    const request = await pendingRequest(session);
    const review = { verdict: 'approve', subject_digest: request.digest };
    expectStatus(await pages.http().post(`/v1/approval-requests/${request.id}/reviews`, review, page), 201);
    const done = await made;
    expect(done).toMatchObject({ outcome: 'succeeded', decided_as: 'approved', execution: { attempt: 1 } });
    const { rows } = await api.db.owner.query('select basis from call_grant where tenant_id = $1 and source_id = $2', [
      tenant.id,
      done.id,
    ]);
    expect(rows).toEqual([{ basis: 'approval' }]);
    const precedents = await api.db.owner.query(
      'select ended_as, tools, subject_type from precedent where tenant_id = $1 and subject_id = $2',
      [tenant.id, done.id],
    );
    expect(precedents.rows).toEqual([{ ended_as: 'succeeded', tools: ['query_assets'], subject_type: 'tool_call' }]);
  });

  it('without a question is executed by the fleet, once, under a grant of its own', async () => {
    const call = await asked('execute_rollout_nonprod', ROLLOUT);
    expect(call).toMatchObject({ outcome: 'allowed', answered_by: 'executor', execution: null });
    const done = await until(call.id, 'succeeded');
    expect(done.execution).toMatchObject({ attempt: 1, lease_until: null, unverified: false, error: null });
    expect(done.execution?.result).not.toBeNull();
    expect(done.grant).toBeUndefined();
    expect(await arrived(call.id)).toMatchObject([{ source: { type: 'tool_call', id: call.id } }]);
    expect((await fleet.images()).get('stage-web-01')).toBe(ROLLOUT.image);
    expect(await trail(call.id)).toEqual(['tool_call.decided', 'tool_call.dispatched', 'tool_call.succeeded']);
    await writtenByRunner(call.id, 'one line');
    const output = `/v1/tool-calls/${call.id}/output`;
    const chunks = [{ seq: 1, stream: 'stdout', text: 'one line' }];
    expect(expectStatus(await agent.get(output), 200).body).toEqual({ chunks, cut: false, open: false });
    expect(expectStatus(await agent.get(`${output}?after=1`), 200).body).toMatchObject({ chunks: [] });
    const other = api.http((await api.agent(tenant, owner)).token);
    expectStatus(await other.get(output), 404);
  });

  it('T27: is unknown if its worker is killed in flight and it is not idempotent; a person resolves it', async () => {
    const struck = killed();
    const before = calls;
    const call = await asked('get_drift_status', { targets: ['stage-web-01'] });
    await struck;
    expect(await read(call.id)).toMatchObject({ outcome: 'executing', execution: { attempt: 1 } });
    await worker.kill();
    await endLease(call.id);
    worker = await startWorker();
    const lost = await until(call.id, 'unknown');
    expect(lost.execution).toMatchObject({ attempt: 1, error: { code: 'tool_call.no_answer' } });
    expect(calls - before).toBe(1);
    const finding = { outcome: 'succeeded', note: 'The log of the fleet has it.' };
    const path = `/v1/tool-calls/${call.id}/resolve`;
    expectStatus(await agent.post(path, finding), 403);
    const byToken = expectStatus(await api.http(owner.token).post(path, finding), 403);
    expect(byToken.body.code).toBe('tool_call.person_only');
    const resolved = expectStatus(await pages.http().post(path, finding, page), 200).body;
    expect(resolved).toMatchObject({ outcome: 'succeeded' });
    const moves = ['tool_call.decided', 'tool_call.dispatched', 'tool_call.unknown', 'tool_call.resolved'];
    expect(await trail(call.id)).toEqual(moves);
  });

  it('T27: is sent again if it is idempotent, and takes effect once', async () => {
    const struck = killed();
    const call = await asked('execute_rollout_nonprod', { ...ROLLOUT, image: 'web-2027-01' });
    await struck;
    expect(await read(call.id)).toMatchObject({ outcome: 'executing', execution: { attempt: 1 } });
    await worker.kill();
    await endLease(call.id);
    worker = await startWorker();
    expect((await until(call.id, 'succeeded')).execution).toMatchObject({ attempt: 2 });
    const entries = await arrived(call.id);
    expect(entries).toHaveLength(2);
    expect(entries.filter(({ repeats }) => repeats === null)).toHaveLength(1);
  });

  it('T35: is denied by a halt between its allow and its dispatch', async () => {
    await worker.terminate();
    const call = await asked('execute_rollout_nonprod', { ...ROLLOUT, image: 'web-never' });
    const halting = { kind: 'tool', tool: 'execute_rollout_nonprod', reason: 'It breaks staging.' };
    const halt = expectStatus(await admin.post('/v1/halts', halting), 201).body;
    expect(halt.effect).toMatchObject({ denied_calls: [call.id], in_flight: [] });
    worker = await startWorker();
    expect(await read(call.id)).toMatchObject({ outcome: 'denied', decided_as: 'cancelled', execution: null });
    expect(await arrived(call.id)).toEqual([]);
  });
});

const handsAudience = async (): Promise<string> => {
  const { grant } = await asked('roll_out_by_hand', ROLLOUT);
  return String(decodeJwt(String(grant)).aud);
};

describe('a call that its agent makes', () => {
  const report = (call: ToolCallView, more: object = {}) => ({
    outcome: 'succeeded',
    jti: call.id,
    arguments_digest: call.arguments_digest,
    result: { rolled_out: 1 },
    ...more,
  });

  it('through the SDK executes under the verified grant, which is redeemed, and reports', async () => {
    const client = new CountersignClient({ baseUrl: publicUrl, token: agentToken });
    const verify = grantVerifier({
      issuer: publicUrl,
      audience: await handsAudience(),
      tenants: [tenant.id],
      environments: ['staging'],
      replay: 'redeem',
    });
    const seen: unknown[] = [];
    const own = {
      verify,
      tools: {
        roll_out_by_hand: (args: unknown) => {
          seen.push(args);
          return Promise.resolve({ outcome: 'succeeded', result: { rolled_out: 1 } } as const);
        },
      },
    };
    const call = { tool: 'roll_out_by_hand', arguments: ROLLOUT };
    const done = await makeToolCall(client, call, { own, session: sessionId });
    expect(done).toMatchObject({ outcome: 'succeeded', execution: { unverified: true, result: { rolled_out: 1 } } });
    expect(seen).toEqual([ROLLOUT]);
    const { rows } = await api.db.owner.query(
      'select redeemed_at is not null as redeemed from call_grant where tenant_id = $1 and source_id = $2',
      [tenant.id, done.id],
    );
    expect(rows).toEqual([{ redeemed: true }]);
  });

  it('T08: comes with its grant, which is good once, and ends with the report', async () => {
    const call = await asked('roll_out_by_hand', ROLLOUT);
    expect(call).toMatchObject({ outcome: 'executing', answered_by: 'agent', execution: { unverified: true } });
    expect((await read(call.id)).grant).toBe(call.grant);
    const other = api.http((await api.agent(tenant, owner)).token);
    expectStatus(await other.get(`/v1/tool-calls/${call.id}`), 404);
    const seen = expectStatus(await api.http(owner.token).get(`/v1/tool-calls/${call.id}`), 200).body;
    expect(seen).toMatchObject({ outcome: 'executing' });
    expect(seen.grant).toBeUndefined();
    const redeeming = { grant: call.grant, audience: decodeJwt(String(call.grant)).aud, environment: 'staging' };
    expectStatus(await api.http().post('/v1/grants/redeem', redeeming), 200);
    expectStatus(await api.http().post('/v1/grants/redeem', redeeming), 403);
    const output = `/v1/tool-calls/${call.id}/output`;
    const sent = { first_seq: 1, chunks: [{ stream: 'stdout', text: 'stage-web-01 is done' }] };
    expect(expectStatus(await agent.post(output, sent), 200).body).toEqual({ seq: 1, cut: false });
    expect(expectStatus(await api.http(owner.token).get(output), 200).body).toEqual({
      chunks: [{ seq: 1, ...sent.chunks[0] }],
      cut: false,
      open: true,
    });
    const path = `/v1/tool-calls/${call.id}/result`;
    expectStatus(await other.post(path, report(call)), 404);
    expectStatus(await api.http(owner.token).post(path, report(call)), 403);
    const done = expectStatus(await agent.post(path, report(call)), 200).body;
    expect(done).toMatchObject({ outcome: 'succeeded', execution: { unverified: true, result: { rolled_out: 1 } } });
    expect(expectStatus(await agent.post(path, report(call)), 200).body).toEqual(done);
    const another = { ...report(call), result: { rolled_out: 2 } };
    expect(expectStatus(await agent.post(path, another), 409).body.code).toBe('tool_call.already_reported');
  });

  it('T27: is unknown without a report in time; a late one is kept, and decides nothing', async () => {
    const call = await asked('roll_out_by_hand', ROLLOUT);
    await endLease(call.id);
    await until(call.id, 'unknown');
    const late = await agent.post(`/v1/tool-calls/${call.id}/result`, report(call));
    expect(expectStatus(late, 409).body.code).toBe('tool_call.late');
    expect(await read(call.id)).toMatchObject({ outcome: 'unknown', execution: { result: null } });
    expect((await trail(call.id)).at(-1)).toBe('tool_call.late_answer');
  });
});
