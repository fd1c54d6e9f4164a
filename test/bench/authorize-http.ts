import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client as PgClient } from 'pg';
import { Client as HttpClient } from 'undici';
import {
  migrateDatabase,
  openDataSource,
  packageRoot,
  startEmbeddedPostgres,
  TypeormUnitOfWork,
  type EmbeddedPostgres,
} from '#lib/database';
import { IssueBootstrapToken, nodeRandomBytes, PostgresBootstrapTokenRepository } from '#lib/identity';
import { freePort, startServer } from './child-server.js';
import { figureOf, type Figure } from './figure.js';
import { spreadOf, timeOf } from './percentile.js';

const ROUNDS = 7;
const CALLS = 400;
const WARM_UP = 500;

type Json = Readonly<Record<string, unknown>>;
type Post = (path: string, body: unknown, token?: string) => Promise<Json>;
type Call = () => Promise<void>;

const AUTONOMY = readFileSync(join(packageRoot(), 'catalog', 'autonomy.yaml'), 'utf8');
const CATALOG = readFileSync(join(packageRoot(), 'catalog', 'adr-009.yaml'), 'utf8');
const ASKED = { tool: 'query_assets', environment: 'production', arguments: { role: 'web', drifted: true, limit: 50 } };

/**
 * `authorize-http`: p99 of one tool call decided and audited over HTTP, less one commit, against OPA's own server that
 * decides on the same input and records nothing. Each server is a process of its own; PostgreSQL commits durably.
 * `/whole` does not subtract the commit; `/median` is the same as the first at the median, which a busy machine moves less.
 */
export async function authorizeHttp(): Promise<readonly Figure[]> {
  const opa = spawnSync(process.execPath, [join(packageRoot(), 'tools', 'opa.mjs')], { encoding: 'utf8' });
  if (opa.status !== 0) throw new Error(`authorize-http is measured against opa: ${opa.stderr.trim()}.`);
  const directory = await mkdtemp(join(tmpdir(), 'countersign-bench-'));
  const postgres = await startEmbeddedPostgres({ directory: join(directory, 'postgres'), root: packageRoot() });
  const stops: (() => Promise<unknown>)[] = [
    () => rm(directory, { recursive: true, force: true }),
    () => postgres.stop(),
  ];
  try {
    const url = await postgres.url('countersign_app', 'postgres');
    await migrateDatabase({ adminUrl: postgres.adminUrl, appPassword: new URL(url).password });
    const api = await startApi(url, directory);
    stops.push(api.stop);
    const theirs = await startOpa(opa.stdout.trim());
    stops.push(theirs.stop);
    const committing = await oneCommit(postgres, url);
    stops.push(committing.end);
    const { ours, input } = await ourCall(api.origin, url, stops);
    return await measure(ours, theirCall(theirs.origin, input, stops), committing.time);
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

/** Call by call in turn, so that whatever else the machine does falls on all three alike. */
async function measure(ours: Call, theirs: Call, commit: () => Promise<number>): Promise<readonly Figure[]> {
  for (let call = 0; call < WARM_UP; call += 1) {
    await ours();
    await theirs();
    await commit();
  }
  const [less, whole, median]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [a, b, c]: [number[], number[], number[]] = [[], [], []];
    for (let call = 0; call < CALLS; call += 1) {
      a.push(await timeOf(ours));
      b.push(await timeOf(theirs));
      c.push(await commit());
    }
    const [our, their, one] = [spreadOf(a), spreadOf(b), spreadOf(c)];
    less.push((our.p99 - one.p99) / their.p99);
    whole.push(our.p99 / their.p99);
    median.push((our.median - one.median) / their.median);
  }
  return [
    figureOf('authorize-http', less),
    figureOf('authorize-http/whole', whole),
    figureOf('authorize-http/median', median),
  ];
}

async function startApi(databaseUrl: string, directory: string): ReturnType<typeof startServer> {
  const [port, metricsPort] = [await freePort(), await freePort()];
  return startServer(process.execPath, [join(packageRoot(), 'dist', 'apps', 'api', 'src', 'main.js')], {
    port,
    readyPath: '/health/ready',
    env: {
      DATABASE_URL: databaseUrl,
      COUNTERSIGN_DATA: join(directory, 'data'),
      COUNTERSIGN_PORT: String(port),
      COUNTERSIGN_METRICS_PORT: String(metricsPort),
      COUNTERSIGN_LOG_LEVEL: 'warn',
      COUNTERSIGN_REQUESTS_PER_MINUTE: '10000000',
      COUNTERSIGN_REQUEST_BURST: '1000000',
    },
  });
}

async function startOpa(opa: string): ReturnType<typeof startServer> {
  const port = await freePort();
  const ignored = ['*_test.rego', 'bundle', 'fixtures', 'testing'].flatMap((pattern) => ['--ignore', pattern]);
  const address = ['--addr', `127.0.0.1:${String(port)}`, '--log-level', 'error', '--disable-telemetry'];
  return startServer(opa, ['run', '--server', ...address, ...ignored, join(packageRoot(), 'policies')], {
    port,
    readyPath: '/health',
  });
}

/** Founds a tenant with a catalog, an autonomy document and an agent, all over HTTP; the agent's call, and its policy input. */
async function ourCall(
  origin: string,
  databaseUrl: string,
  stops: (() => Promise<unknown>)[],
): Promise<{ ours: Call; input: unknown }> {
  const client = new HttpClient(origin);
  stops.push(() => client.close());
  const send = async (method: 'GET' | 'POST' | 'PUT', path: string, body: unknown, token?: string): Promise<Json> => {
    const response = await client.request({
      method,
      path,
      headers: {
        ...(body === undefined
          ? {}
          : { 'content-type': typeof body === 'string' ? 'application/yaml' : 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const answer = (await response.body.json()) as Json;
    if (response.statusCode >= 300) throw new Error(`${method} ${path} answered ${JSON.stringify(answer)}`);
    return answer;
  };
  const post: Post = (path, body, token) => send('POST', path, body, token);
  const admin = await foundTenant(post, databaseUrl);
  await send('PUT', '/v1/tools', CATALOG, admin.token);
  const lead = await post('/v1/people', { email: 'lead@example.com', display_name: 'Lead' }, admin.token);
  await post(`/v1/people/${String(lead.id)}/roles`, { role: 'SRELead' }, admin.token);
  const second = await post('/v1/people', { email: 'second@example.com', display_name: 'Second' }, admin.token);
  await post(`/v1/people/${String(second.id)}/roles`, { role: 'SRELead' }, admin.token);
  await send('PUT', '/v1/autonomy', AUTONOMY, admin.token);
  const agent = await post('/v1/agents', { name: 'drift-bot', owner_id: admin.id }, admin.token);
  const minted = await post(`/v1/agents/${String(agent.id)}/tokens`, { name: 'bench', scopes: ['run'] }, admin.token);
  const token = String(minted.token);
  const ask = async (): Promise<Json> => {
    const answer = await post('/v1/tool-calls/authorize', ASKED, token);
    if (answer.outcome !== 'allow') throw new Error(`The answer is wrong: ${JSON.stringify(answer)}`);
    return answer;
  };
  const { decision_id: decision } = await ask();
  const logged = await send('GET', `/v1/decisions/${String(decision)}`, undefined, admin.token);
  return {
    input: logged.input,
    ours: async () => {
      await ask();
    },
  };
}

async function foundTenant(post: Post, databaseUrl: string): Promise<{ id: string; token: string }> {
  const dataSource = await openDataSource({ url: databaseUrl, poolSize: 1, applicationName: 'countersign-bench' });
  const issue = new IssueBootstrapToken(
    new TypeormUnitOfWork(dataSource),
    new PostgresBootstrapTokenRepository(),
    nodeRandomBytes,
  );
  const { token: bootstrapToken } = await issue.execute();
  await dataSource.destroy();
  const founded = await post('/v1/bootstrap', {
    bootstrap_token: bootstrapToken,
    tenant: { slug: 'bench', name: 'Bench' },
    admin: { email: 'admin@example.com', display_name: 'Admin' },
  });
  const { enrolment_token: enrolment } = founded.enrolment as { enrolment_token: string };
  const scopes = ['read', 'submit', 'run', 'audit', 'admin'];
  const { token } = await post('/v1/enrolment', { enrolment_token: enrolment, name: 'bench', scopes });
  return { id: String(founded.person_id), token: String(token) };
}

function theirCall(origin: string, input: unknown, stops: (() => Promise<unknown>)[]): Call {
  const client = new HttpClient(origin);
  stops.push(() => client.close());
  const body = JSON.stringify({ input });
  return async () => {
    const response = await client.request({
      method: 'POST',
      path: '/v1/data/countersign/tool_call/decision',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const { result } = (await response.body.json()) as { result?: { outcome?: string } };
    if (result?.outcome !== 'allow') throw new Error(`opa's answer is wrong: ${JSON.stringify(result)}`);
  };
}

/** The COMMIT of a transaction that wrote one row, alone on its connection. */
async function oneCommit(
  postgres: EmbeddedPostgres,
  url: string,
): Promise<{ time: () => Promise<number>; end: () => Promise<void> }> {
  const admin = new PgClient({ connectionString: postgres.adminUrl });
  await admin.connect();
  await admin.query('create table bench_commit (id bigint generated always as identity, body text not null)');
  await admin.query('grant insert on bench_commit to countersign_app');
  await admin.end();
  const client = new PgClient({ connectionString: url });
  await client.connect();
  const time = async (): Promise<number> => {
    await client.query(`begin; insert into bench_commit (body) values (repeat('x', 2000))`);
    return timeOf(async () => {
      await client.query('commit');
    });
  };
  return { time, end: () => client.end() };
}
