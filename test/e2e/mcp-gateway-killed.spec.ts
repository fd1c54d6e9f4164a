import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ToolCallView } from '#lib/api-schemas';
import { expectStatus, testApi, type HttpAs, type TestApi } from '../support/api.js';
import { keepTestKeyring } from '../support/seals.js';
import { mcpUpstream, type McpUpstream } from '../support/mcp-upstream.js';
import { until } from '../support/until.js';
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process.js';

jest.setTimeout(120_000);

const data = mkdtempSync(join(tmpdir(), 'countersign-mcp-killed-'));
let api: TestApi;
let upstream: McpUpstream;
let worker: WorkerProcess;
let agent: HttpAs;

const startWorker = (): Promise<WorkerProcess> =>
  startWorkerProcess({
    DATABASE_URL: api.db.url,
    COUNTERSIGN_DATA: data,
    COUNTERSIGN_PUBLIC_URL: api.config.publicUrl,
    COUNTERSIGN_ALLOWED_PRIVATE_HOSTS: new URL(upstream.url).host,
    COUNTERSIGN_LEASE_MARGIN_MS: '100',
    COUNTERSIGN_LOOK_MS: '200',
  });

beforeAll(async () => {
  keepTestKeyring(data);
  upstream = await mcpUpstream();
  const config = {
    keyDirectory: join(data, 'keys'),
    allowedPrivateHosts: [new URL(upstream.url).host],
    leaseMarginMs: 100,
  };
  api = await testApi({ config });
  const tenant = await api.tenant();
  const admin = api.http(tenant.admin.token);
  const autonomy = 'autonomy:\n  mode: plan_only\n  environments:\n    staging:\n      mode: full_auto\n';
  expectStatus(await admin.put('/v1/autonomy', autonomy), 200);
  expectStatus(await admin.put('/v1/environments/staging/executors/ops', { kind: 'mcp', url: upstream.url }), 200);
  const path = '/v1/mcp-servers/staging/ops';
  const { tools } = expectStatus(await admin.post(`${path}/look`), 200).body as { tools: { digest: string }[] };
  const risk = { risk: 'read_only', idempotent: false, scope: 'asset', time_limit_seconds: 60 };
  const accepted = { ...risk, digest: tools[0]?.digest };
  expectStatus(await admin.post(`${path}/tools/restart_service/accept`, accepted), 200);
  agent = api.http((await api.agent(tenant, tenant.admin)).token);
  worker = await startWorker();
});
afterAll(async () => {
  await worker.kill();
  await upstream.close();
  await api.close();
  rmSync(data, { recursive: true, force: true });
});

it('has an unknown effect if its worker is killed while the upstream has the call, which is not repeated', async () => {
  const struck = new Promise<void>((resolve) => {
    upstream.answer = () => {
      process.kill(worker.pid, 'SIGKILL');
      resolve();
      return new Promise(() => undefined);
    };
  });
  const wanted = { tool: 'mcp:ops:restart_service', environment: 'staging', arguments: { host: 'web-01' } };
  const { id } = expectStatus(await agent.post('/v1/tool-calls', wanted), 201).body as ToolCallView;
  await struck;
  await worker.kill();
  // The answer is awaited no longer.
  await api.db.owner.query('update tool_call set lease_until = clock_timestamp() where id = $1', [id]);
  worker = await startWorker();
  const call = await until(async () => {
    const read = expectStatus(await agent.get(`/v1/tool-calls/${id}`), 200).body as ToolCallView;
    return read.outcome !== 'executing' && read.outcome !== 'allowed' && read;
  });
  expect(call).toMatchObject({ outcome: 'unknown', execution: { attempt: 1, error: { code: 'tool_call.no_answer' } } });
  expect(upstream.calls).toHaveLength(1);
});
