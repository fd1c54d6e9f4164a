import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { packageRoot } from '#lib/database';
import { onBenchDatabase } from './bench-database.js';
import { bootstrapToken } from './bootstrap-token.js';
import { freePort, startServer } from './child-server.js';

type Json = Readonly<Record<string, unknown>>;
type Send = (method: string, path: string, body: unknown, token?: string) => Promise<Json>;

const FINISHED_WITHIN_MS = 300_000;
/** A phase holds at most so many. */
const STEPS_A_PHASE = 50;

/** The calls of one run, as they arrived: `performance.now()` of each. */
export interface FinishedRun {
  readonly id: string;
  readonly arrivals: readonly number[];
}

/** Api and worker, each a process of its own, on a durable PostgreSQL, with a tool server that answers at once. */
export interface RunInstallation {
  readonly databaseUrl: string;
  readonly adminUrl: string;
  readonly tools: ToolServer;
  /** How many tenants there are. */
  readonly tenants: number;
  /** A plan of so many reading steps, of one tenant, ready to run. */
  plan(tenant: number, steps: number): Promise<() => Promise<FinishedRun>>;
  stop(): Promise<void>;
}

/** @param tenants each with tools, an agent and an autonomy document. */
export const runInstallation = (tenants: number): Promise<RunInstallation> =>
  onBenchDatabase(async ({ directory, postgres, url: databaseUrl, stop }, started) => {
    const tools = await answeringServer();
    started(tools.close);
    const data = join(directory, 'data');
    const [port, metrics, workerPort] = [await freePort(), await freePort(), await freePort()];
    const env = {
      DATABASE_URL: databaseUrl,
      COUNTERSIGN_DATA: data,
      COUNTERSIGN_PORT: String(port),
      COUNTERSIGN_METRICS_PORT: String(metrics),
      COUNTERSIGN_WORKER_PORT: String(workerPort),
      COUNTERSIGN_PUBLIC_URL: `http://127.0.0.1:${String(port)}`,
      COUNTERSIGN_ALLOWED_PRIVATE_HOSTS: new URL(tools.url).host,
      COUNTERSIGN_LOG_LEVEL: 'warn',
      COUNTERSIGN_REQUESTS_PER_MINUTE: '10000000',
      COUNTERSIGN_REQUEST_BURST: '1000000',
    };
    const dist = (app: string): string => join(packageRoot(), 'dist', 'apps', app, 'src', 'main.js');
    const api = await startServer(process.execPath, [dist('api')], { port, readyPath: '/health/ready', env });
    started(api.stop);
    const worker = await startServer(process.execPath, [dist('worker')], {
      port: workerPort,
      readyPath: '/health/ready',
      env,
    });
    started(worker.stop);
    const send = sendTo(api.origin);
    const agents: string[] = [];
    for (let tenant = 0; tenant < tenants; tenant += 1) {
      agents.push(await found(send, await bootstrapToken(databaseUrl, data), tenant, tools.url));
    }
    return {
      databaseUrl,
      adminUrl: postgres.adminUrl,
      tools,
      tenants,
      plan: (tenant, steps) => ready(send, agents[tenant] ?? '', tools, steps),
      stop,
    };
  });

const sendTo =
  (origin: string): Send =>
  async (method, path, body, token) => {
    const yaml = typeof body === 'string';
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': yaml ? 'application/yaml' : 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: yaml ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${text}`);
    return text === '' ? {} : (JSON.parse(text) as Json);
  };

/** Founds a tenant over HTTP. @returns the token of its agent. */
async function found(send: Send, bootstrap: string, tenant: number, toolUrl: string): Promise<string> {
  const founded = await send('POST', '/v1/bootstrap', {
    bootstrap_token: bootstrap,
    tenant: { slug: `bench-${String(tenant)}`, name: 'Bench' },
    admin: { email: 'admin@example.com', display_name: 'Admin' },
  });
  const { enrolment_token: enrolment } = founded.enrolment as { readonly enrolment_token: string };
  const scopes = ['read', 'submit', 'run', 'audit', 'admin'];
  const admin = String(
    (await send('POST', '/v1/enrolment', { enrolment_token: enrolment, name: 'bench', scopes })).token,
  );
  const catalog = (name: string): string => readFileSync(join(packageRoot(), 'catalog', name), 'utf8');
  await send('PUT', '/v1/tools', catalog('adr-009.yaml'), admin);
  const executor = { kind: 'http', url: toolUrl, audience: 'fleet' };
  await send('PUT', '/v1/environments/production/executors/fleet', executor, admin);
  for (const name of ['lead', 'second']) {
    const person = await send('POST', '/v1/people', { email: `${name}@example.com`, display_name: name }, admin);
    await send('POST', `/v1/people/${String(person.id)}/roles`, { role: 'SRELead' }, admin);
  }
  await send('PUT', '/v1/autonomy', catalog('autonomy.yaml'), admin);
  const agent = await send('POST', '/v1/agents', { name: 'reader', owner_id: founded.person_id }, admin);
  const minted = await send(
    'POST',
    `/v1/agents/${String(agent.id)}/tokens`,
    { name: 'bench', scopes: ['read', 'submit', 'run'] },
    admin,
  );
  return String(minted.token);
}

async function ready(send: Send, token: string, tools: ToolServer, steps: number): Promise<() => Promise<FinishedRun>> {
  const task = await send(
    'POST',
    '/v1/tasks',
    { goal: 'look at the fleet', task_type: 'survey', environment: 'production', timeout_minutes: 60 },
    token,
  );
  const phases = Array.from({ length: Math.ceil(steps / STEPS_A_PHASE) }, (_, phase) => ({
    name: `phase-${String(phase)}`,
    canary: false,
    targets: ['web-1', 'web-2'],
    batch_percent: 100,
    steps: Array.from({ length: Math.min(STEPS_A_PHASE, steps - phase * STEPS_A_PHASE) }, (__, step) => ({
      id: `look-${String(phase)}-${String(step)}`,
      tool: 'get_drift_status',
      arguments: { targets: { $batch: 'targets' } },
    })),
  }));
  const plan = await send('POST', `/v1/tasks/${String(task.id)}/plans`, { phases }, token);
  return async () => {
    const { id } = await send('POST', `/v1/plans/${String(plan.id)}/runs`, undefined, token);
    const runId = String(id);
    await tools.called(runId, steps);
    return { id: runId, arrivals: tools.arrivals(runId) };
  };
}

export interface ToolServer {
  readonly url: string;
  /** Resolves once so many calls of the run have arrived. */
  called(runId: string, calls: number): Promise<void>;
  arrivals(runId: string): readonly number[];
  close(): Promise<void>;
}

/** Answers every call at once, and notes when it came. */
async function answeringServer(): Promise<ToolServer> {
  const arrivals = new Map<string, number[]>();
  const awaited = new Map<string, { readonly calls: number; readonly resolve: () => void }>();
  const server = createServer((request, response) => {
    const runId = runOf(String(request.headers['countersign-grant']));
    const times = arrivals.get(runId) ?? [];
    arrivals.set(runId, times);
    times.push(performance.now());
    if (awaited.get(runId)?.calls === times.length) awaited.get(runId)?.resolve();
    request.resume().once('end', () => {
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ ok: true, result: { drifted: [], metrics: { errors: 0 } } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/tools`,
    arrivals: (runId) => arrivals.get(runId) ?? [],
    called: (runId, calls) =>
      new Promise((resolve, reject) => {
        const deadline = setTimeout(() => {
          reject(new Error(`run ${runId} made ${String(arrivals.get(runId)?.length ?? 0)} of ${String(calls)} calls`));
        }, FINISHED_WITHIN_MS);
        const done = (): void => {
          clearTimeout(deadline);
          resolve();
        };
        awaited.set(runId, { calls, resolve: done });
        if ((arrivals.get(runId)?.length ?? 0) >= calls) done();
      }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The run that a grant (a compact JWS) names; empty for a bare call. */
function runOf(grant: string): string {
  const [, claims] = grant.split('.');
  if (claims === undefined) return '';
  const { source } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as {
    readonly source?: { readonly id: string };
  };
  return source?.id ?? '';
}
