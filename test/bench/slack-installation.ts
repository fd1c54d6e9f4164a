import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateDatabase, packageRoot, startEmbeddedPostgres } from '#lib/database';
import { LocalSlack } from '../../apps/slack-local/src/local-slack.js';
import { bootstrapToken } from './bench-installation.js';
import { freePort, startServer } from './child-server.js';

type Json = Readonly<Record<string, unknown>>;

/** An installation as it is run. Api and worker are each a process of its own, with a durable PostgreSQL and a local Slack. */
export interface SlackInstallation {
  readonly slack: LocalSlack;
  readonly databaseUrl: string;
  /** The superuser's address, on the same server. */
  readonly adminUrl: string;
  /** A plan that was simulated, by an agent that has asked little so far. */
  prepare(): Promise<{ readonly planId: string; readonly token: string }>;
  send(method: string, path: string, body: unknown, token?: string): Promise<Json>;
  readonly adminToken: string;
  readonly tenantId: string;
  close(): Promise<void>;
}

/** An agent may ask this often in ten minutes. */
const REQUESTS_PER_AGENT = 40;

export async function slackInstallation(): Promise<SlackInstallation> {
  const directory = await mkdtemp(join(tmpdir(), 'countersign-bench-'));
  const stops: (() => Promise<unknown>)[] = [() => rm(directory, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const stop of stops.splice(0).reverse()) await stop();
  };
  try {
    const postgres = await startEmbeddedPostgres({ directory: join(directory, 'postgres'), root: packageRoot() });
    stops.push(() => postgres.stop());
    const databaseUrl = await postgres.url('countersign_app', 'postgres');
    await migrateDatabase({ adminUrl: postgres.adminUrl, appPassword: new URL(databaseUrl).password });
    const slack = new LocalSlack({
      teamId: 'T0BENCH',
      teamName: 'Bench',
      appId: 'A0BENCH',
      clientId: '1.1',
      clientSecret: 'a-client-secret',
      signingSecret: 'a-signing-secret',
      botToken: 'xoxb-bench',
      channels: {},
      users: { U0LEAD: 'Lead' },
    });
    await slack.listen();
    stops.push(() => slack.close());
    const tools = await predictingServer();
    stops.push(tools.close);
    const [port, metrics, workerPort] = [await freePort(), await freePort(), await freePort()];
    const env = {
      DATABASE_URL: databaseUrl,
      COUNTERSIGN_DATA: join(directory, 'data'),
      COUNTERSIGN_PORT: String(port),
      COUNTERSIGN_METRICS_PORT: String(metrics),
      COUNTERSIGN_WORKER_PORT: String(workerPort),
      COUNTERSIGN_PUBLIC_URL: `http://127.0.0.1:${String(port)}`,
      COUNTERSIGN_SLACK_URL: slack.url,
      COUNTERSIGN_ALLOWED_PRIVATE_HOSTS: new URL(tools.url).host,
      COUNTERSIGN_LOG_LEVEL: 'warn',
      COUNTERSIGN_REQUESTS_PER_MINUTE: '10000000',
      COUNTERSIGN_REQUEST_BURST: '1000000',
    };
    const dist = (app: string): string => join(packageRoot(), 'dist', 'programs', app, 'main.js');
    const api = await startServer(process.execPath, [dist('api')], { port, readyPath: '/health/ready', env });
    stops.push(api.stop);
    const worker = await startServer(process.execPath, [dist('worker')], {
      port: workerPort,
      readyPath: '/health/ready',
      env,
    });
    stops.push(worker.stop);
    slack.sendTo(api.origin);
    return {
      slack,
      databaseUrl,
      adminUrl: postgres.adminUrl,
      close,
      ...(await furnish(api.origin, databaseUrl, env.COUNTERSIGN_DATA, slack, tools.url)),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

type Furnished = Pick<SlackInstallation, 'prepare' | 'send' | 'adminToken' | 'tenantId'>;

/** A tenant with tools, people who may approve, and Slack installed; all over HTTP. */
async function furnish(
  origin: string,
  databaseUrl: string,
  data: string,
  slack: LocalSlack,
  toolUrl: string,
): Promise<Furnished> {
  const send = async (method: string, path: string, body: unknown, token?: string): Promise<Json> => {
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
  const founded = await send('POST', '/v1/bootstrap', {
    bootstrap_token: await bootstrapToken(databaseUrl, data),
    tenant: { slug: 'bench', name: 'Bench' },
    admin: { email: 'admin@example.com', display_name: 'Admin' },
  });
  const enrol = async (exchange: Json, scopes: readonly string[]): Promise<string> => {
    const body = { enrolment_token: exchange.enrolment_token, name: 'bench', scopes };
    return String((await send('POST', '/v1/enrolment', body)).token);
  };
  const admin = await enrol(founded.enrolment as Json, ['read', 'submit', 'run', 'audit', 'admin']);
  const catalog = readFileSync(join(packageRoot(), 'catalog', 'adr-009.yaml'), 'utf8');
  await send('PUT', '/v1/tools', catalog, admin);
  const executor = { kind: 'http', url: toolUrl, audience: 'fleet' };
  await send('PUT', '/v1/environments/production/executors/fleet', executor, admin);
  const people: string[] = [];
  for (const name of ['lead', 'second', 'owner']) {
    const person = await send('POST', '/v1/people', { email: `${name}@example.com`, display_name: name }, admin);
    await send('POST', `/v1/people/${String(person.id)}/roles`, { role: 'SRELead' }, admin);
    people.push(String(person.id));
  }
  await send('PUT', '/v1/autonomy', readFileSync(join(packageRoot(), 'catalog', 'autonomy.yaml'), 'utf8'), admin);
  await installSlack(send, admin, slack);

  let asked = 0;
  let token = '';
  return {
    send,
    adminToken: admin,
    tenantId: String(founded.tenant_id),
    prepare: async () => {
      if (asked % REQUESTS_PER_AGENT === 0) {
        const name = `bot-${String(asked)}`;
        const agent = await send('POST', '/v1/agents', { name, owner_id: people[2] }, admin);
        const scopes = ['read', 'submit', 'run'];
        const minted = await send('POST', `/v1/agents/${String(agent.id)}/tokens`, { name: 'bench', scopes }, admin);
        token = String(minted.token);
      }
      asked += 1;
      const planId = await simulatedPlan(send, token, `web-${String(asked)}`);
      return { planId, token };
    },
  };
}

type Send = SlackInstallation['send'];

async function installSlack(send: Send, admin: string, { workspace }: LocalSlack): Promise<void> {
  const { clientId, clientSecret, signingSecret } = workspace;
  const app = { client_id: clientId, client_secret: clientSecret, signing_secret: signingSecret };
  await send('PUT', '/v1/slack/app', app, admin);
  const { redirect_to: consent } = await send('GET', '/v1/slack/install', undefined, admin);
  const back = (await fetch(String(consent), { redirect: 'manual' })).headers.get('location');
  const installed = await fetch(back ?? '', { redirect: 'manual' });
  if (installed.status !== 303) throw new Error(`the installation of Slack ended with ${String(installed.status)}`);
}

async function simulatedPlan(send: Send, token: string, image: string): Promise<string> {
  const task = await send(
    'POST',
    '/v1/tasks',
    { goal: `roll out ${image}`, task_type: 'rollout', environment: 'production', timeout_minutes: 60 },
    token,
  );
  const phase = (name: string, canary: boolean, targets: readonly string[]): Json => ({
    name,
    canary,
    targets,
    batch_percent: 20,
    health_checks: [{ name: 'web', tool: 'query_alerts', arguments: { targets: { $batch: 'targets' } } }],
    rollback_if: 'web.error_rate > 0.05',
    steps: [
      { id: `rollout-${name}`, tool: 'execute_rollout_prod', arguments: { targets: { $batch: 'targets' }, image } },
    ],
  });
  const plan = await send(
    'POST',
    `/v1/tasks/${String(task.id)}/plans`,
    {
      phases: [
        phase('canary', true, ['web-1', 'web-2']),
        phase('rest', false, ['web-3', 'web-4', 'web-5', 'web-6', 'web-7', 'web-8', 'web-9', 'web-10']),
      ],
    },
    token,
  );
  const started = await send('POST', `/v1/plans/${String(plan.id)}/simulations`, undefined, token);
  for (const until = performance.now() + 30_000; performance.now() < until;) {
    const { state } = await send('GET', `/v1/simulations/${String(started.id)}`, undefined, token);
    if (state === 'succeeded') return String(plan.id);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('a simulation took too long');
}

/** Predicts one asset a call. */
async function predictingServer(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      const result = {
        affected_assets: 1,
        estimated_duration_minutes: 1,
        predicted_risk: 'low',
        health_check_points: [],
        details: null,
      };
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ ok: true, result }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/tools`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
