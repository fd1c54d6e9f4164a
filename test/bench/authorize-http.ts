import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Client as PgClient } from 'pg';
import { Client as HttpClient } from 'undici';
import { packageRoot, type EmbeddedPostgres } from '#lib/database';
import { freePort, startServer } from './child-server.js';
import { decidingServer } from './deciding-server.js';
import { measurementOf, type Measurement } from './measurement.js';
import { spreadOf, timeOf } from './percentile.js';

const ROUNDS = 7;
const CALLS = 400;
const WARM_UP = 500;

type Call = () => Promise<void>;

/**
 * `authorize-http`: p99 of one tool call decided and audited over HTTP, less one commit. Its opponent is OPA's own server, which
 * decides on the same input and records nothing. Each server is a process of its own; PostgreSQL commits durably. `/whole` does
 * not subtract the commit; `/median` is the same as the first at the median, which a busy machine moves less.
 */
export async function authorizeHttp(): Promise<readonly Measurement[]> {
  const opa = spawnSync(process.execPath, [join(packageRoot(), 'tools', 'opa.mjs')], { encoding: 'utf8' });
  if (opa.status !== 0) throw new Error(`authorize-http is measured against opa: ${opa.stderr.trim()}.`);
  const ours = await decidingServer();
  const stops: (() => Promise<unknown>)[] = [ours.stop];
  try {
    const theirs = await startOpa(opa.stdout.trim());
    stops.push(theirs.stop);
    const committing = await oneCommit(ours.postgres, ours.databaseUrl);
    stops.push(committing.end);
    return await measure(() => ours.ask(ours.token), theirCall(theirs.origin, ours.input, stops), committing.time);
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

/** The calls are made in turn, so that other load of the machine falls on all three alike. */
async function measure(ours: Call, theirs: Call, commit: () => Promise<number>): Promise<readonly Measurement[]> {
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
    measurementOf('authorize-http', less),
    measurementOf('authorize-http/whole', whole),
    measurementOf('authorize-http/median', median),
  ];
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
