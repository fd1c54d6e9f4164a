import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { packageRoot } from '#lib/database';
import { benchAutonomy } from './bench-autonomy.js';
import { onBenchDatabase } from './bench-database.js';
import { agentOf, catalogDocument, foundTenant, sendTo, type BenchTenant, type Send } from './bench-tenant.js';
import { letReviewerIn } from './bench-reviewer.js';
import { bootstrapToken } from './bench-installation.js';
import { freePort, startServer, type ChildServer } from './child-server.js';
import { drillPhase, drillTools } from './drill.js';

const FINISHED_WITHIN_MS = 1_500_000;
/** A phase holds at most so many. */
const STEPS_A_PHASE = 50;

/** The calls of one run, as they arrived: `performance.now()` of each. */
export interface FinishedRun {
  readonly id: string;
  readonly arrivals: readonly number[];
}

/** Api and worker, each a process of its own, on a durable PostgreSQL. The tool server answers at once. */
export interface RunInstallation {
  readonly origin: string;
  readonly databaseUrl: string;
  readonly adminUrl: string;
  readonly tools: ToolServer;
  /** How many tenants there are. */
  readonly tenants: number;
  /** A plan of so many reading steps, of one tenant, ready to run. */
  plan(tenant: number, steps: number): Promise<() => Promise<FinishedRun>>;
  /** The same of changing steps in staging, which one person has approved. */
  approvedPlan(tenant: number, steps: number): Promise<() => Promise<FinishedRun>>;
  /** Starts a run of a new plan of the agent with this token, and does not wait for its calls. @returns its id. */
  open(token: string, steps: number): Promise<string>;
  cancel(token: string, runId: string): Promise<void>;
  /** Registers another agent of a tenant. @returns its token. */
  agent(tenant: number): Promise<string>;
  /** Starts another worker, with settings beside those of the installation. */
  startWorker(settings?: Readonly<Record<string, string>>): Promise<ChildServer>;
  stop(): Promise<void>;
}

export interface RunInstallationOptions {
  /** Of requests: out of the way, or as an installation has them by default. */
  readonly budgets?: 'unlimited' | 'default';
  /** The built package whose programs are started. */
  readonly folder?: string;
  /** How many workers it has from the start. */
  readonly workers?: 0 | 1;
}

/** @param tenants each with tools, an agent and an autonomy document. */
export const runInstallation = (
  tenants: number,
  { budgets = 'unlimited', folder = packageRoot(), workers = 1 }: RunInstallationOptions = {},
): Promise<RunInstallation> =>
  onBenchDatabase(async ({ directory, postgres, url: databaseUrl, stop }, started) => {
    const tools = await answeringServer();
    started(tools.close);
    const data = join(directory, 'data');
    const [port, metrics] = [await freePort(), await freePort()];
    const env = {
      DATABASE_URL: databaseUrl,
      COUNTERSIGN_DATA: data,
      COUNTERSIGN_PORT: String(port),
      COUNTERSIGN_METRICS_PORT: String(metrics),
      COUNTERSIGN_PUBLIC_URL: `http://127.0.0.1:${String(port)}`,
      COUNTERSIGN_ALLOWED_PRIVATE_HOSTS: new URL(tools.url).host,
      COUNTERSIGN_LOG_LEVEL: 'warn',
      ...(budgets === 'unlimited'
        ? { COUNTERSIGN_REQUESTS_PER_MINUTE: '10000000', COUNTERSIGN_REQUEST_BURST: '1000000' }
        : {}),
    };
    const dist = (app: string): string => join(folder, 'dist', 'programs', app, 'main.js');
    const api = await startServer(process.execPath, [dist('api')], { port, readyPath: '/health/ready', env });
    started(api.stop);
    const startWorker = async (settings: Readonly<Record<string, string>> = {}): Promise<ChildServer> => {
      const workerPort = await freePort();
      const worker = await startServer(process.execPath, [dist('worker')], {
        port: workerPort,
        readyPath: '/health/ready',
        env: { ...env, ...settings, COUNTERSIGN_WORKER_PORT: String(workerPort) },
      });
      started(worker.stop);
      return worker;
    };
    if (workers === 1) await startWorker();
    const send = sendTo(api.origin);
    const founded: BenchTenant[] = [];
    const agents: string[] = [];
    for (let tenant = 0; tenant < tenants; tenant += 1) {
      const made = await foundTenant(send, await bootstrapToken(databaseUrl, data), {
        slug: `bench-${String(tenant)}`,
        environment: 'production',
        tools: drillTools(catalogDocument('adr-009.yaml')),
        autonomy: benchAutonomy().replace('mode: canary_only', 'mode: full_auto'),
        toolUrl: tools.url,
      });
      founded.push(made);
      agents.push(await agentOf(send, made, 'reader'));
    }
    const of = <T>(all: readonly T[], tenant: number): T => {
      const one = all[tenant];
      if (one === undefined) throw new Error(`There is no tenant ${String(tenant)}.`);
      return one;
    };
    const finished = (start: () => Promise<string>, steps: number) => async (): Promise<FinishedRun> => {
      const id = await start();
      await tools.called(id, steps);
      return { id, arrivals: tools.arrivals(id) };
    };
    const reviewers = new Map<number, Promise<string>>();
    const reviewer = (tenant: number): Promise<string> => {
      const known = reviewers.get(tenant) ?? equipForApproval(tenant);
      reviewers.set(tenant, known);
      return known;
    };
    const equipForApproval = async (tenant: number): Promise<string> => {
      const one = of(founded, tenant);
      const executor = { kind: 'http', url: tools.url, audience: 'fleet.staging' };
      await send('PUT', '/v1/environments/staging/executors/fleet', executor, one.admin);
      return letReviewerIn(send, one, { env, invitation: join(directory, `invitation-${one.slug}`), folder });
    };
    let [more, services] = [0, 0];
    return {
      origin: api.origin,
      databaseUrl,
      adminUrl: postgres.adminUrl,
      tools,
      tenants,
      plan: async (tenant, steps) => {
        const token = of(agents, tenant);
        return finished(startOf(send, token, await planOf(send, token, 'production', looks(steps))), steps);
      },
      approvedPlan: async (tenant, steps) => {
        const by = await reviewer(tenant);
        const token = of(agents, tenant);
        // Runs of one target would wait for each other.
        const service = `service-${String((services += 1))}`;
        const planId = await planOf(send, token, 'staging', [drillPhase(service, steps)]);
        await approve(send, { planId, token, reviewer: by });
        return finished(startOf(send, token, planId), steps);
      },
      open: async (token, steps) => startOf(send, token, await planOf(send, token, 'production', looks(steps)))(),
      cancel: async (token, runId) => {
        await send('POST', `/v1/runs/${runId}/cancel`, {}, token);
      },
      agent: (tenant) => agentOf(send, of(founded, tenant), `agent-${String((more += 1))}`),
      startWorker,
      stop,
    };
  });

/** So many reading steps, which policy allows without people. */
const looks = (steps: number): readonly object[] =>
  Array.from({ length: Math.ceil(steps / STEPS_A_PHASE) }, (_, phase) => ({
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

/** Submits a plan. @returns its id. */
async function planOf(send: Send, token: string, environment: string, phases: readonly object[]): Promise<string> {
  const spec = { goal: 'look at the fleet', task_type: 'survey', environment, timeout_minutes: 60 };
  const task = await send('POST', '/v1/tasks', spec, token);
  return String((await send('POST', `/v1/tasks/${String(task.id)}/plans`, { phases }, token)).id);
}

const startOf = (send: Send, token: string, planId: string) => async (): Promise<string> =>
  String((await send('POST', `/v1/plans/${planId}/runs`, undefined, token)).id);

/** The agent asks for a start by hand, and the reviewer approves it. */
async function approve(
  send: Send,
  { planId, token, reviewer }: { readonly planId: string; readonly token: string; readonly reviewer: string },
): Promise<void> {
  const asked = await send('POST', `/v1/plans/${planId}/approval-requests`, { start: 'manual' }, token);
  const { digest } = asked.subject as { readonly digest: string };
  const review = { verdict: 'approve', subject_digest: digest };
  await send('POST', `/v1/approval-requests/${String(asked.id)}/reviews`, review, reviewer);
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
