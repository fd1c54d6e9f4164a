import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseCheckpoint, verifyConsistency } from '#lib/verifier';
import { startApiProcess, type ApiProcess } from '../support/api-process.js';
import { expectStatus, testApi, type TestApi, type TestTenant } from '../support/api.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { postgresPair, type PostgresPair } from '../support/postgres-pair.js';
import { keepTestKeyring } from '../support/seals.js';
import { anotherTaskSpec } from '../support/stages.js';
import { until } from '../support/until.js';
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process.js';

/** Before the primary is killed, and after the standby took its place. */
const TASKS = 25;
const SUBMITTERS = 4;
const ON_WITHIN_MS = 10_000;

const data = mkdtempSync(join(tmpdir(), 'countersign-failover-'));
const outside = join(data, 'outside');
let pair: PostgresPair;
let db: TestDatabase;
let api: TestApi;
let served: ApiProcess;
let worker: WorkerProcess;
let tenant: TestTenant;
let token: string;

beforeAll(async () => {
  keepTestKeyring(data);
  pair = await postgresPair();
  db = await testDatabase(pair.primary);
  const url = await pair.url('countersign_app', new URL(db.url).pathname.slice(1));
  api = await testApi({ db: { ...db, url }, config: { keyDirectory: join(data, 'keys') } });
  tenant = await api.tenant();
  token = (await api.agent(tenant, await api.person(tenant, 'SRELead'))).token;
  await pair.synchronous(true);
  const settings = { COUNTERSIGN_CHECKPOINT_DIRECTORY: outside };
  served = await startApiProcess(url, data, settings);
  worker = await startWorkerProcess({ DATABASE_URL: url, COUNTERSIGN_DATA: data, ...settings });
}, 180_000);
afterAll(async () => {
  await Promise.all([served.kill(), worker.kill()]);
  await api.close();
  await db.close().catch(() => undefined); // its server was killed
  await pair.close();
  rmSync(data, { recursive: true, force: true });
});

/** Submits a task as a client does: again and again with one key until it is acknowledged. @returns its id. */
const submit = async (): Promise<string> => {
  const key = randomUUID();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key };
  return until(async () => {
    const answer = await fetch(`${served.url}/v1/tasks`, {
      ...{ method: 'POST', headers, body: JSON.stringify(anotherTaskSpec()) },
    });
    const body = (await answer.json()) as { id: string; code?: string };
    if (answer.status === 201) return body.id;
    expect({ status: answer.status, code: body.code }).toEqual({
      status: 503,
      code: expect.stringMatching(/^database\./),
    });
    return null;
  });
};

const submitMany = async (count: number): Promise<readonly string[]> => {
  const lanes = Array.from({ length: SUBMITTERS }, async () => {
    const ids: string[] = [];
    while (ids.length < count / SUBMITTERS) ids.push(await submit());
    return ids;
  });
  return (await Promise.all(lanes)).flat();
};

/** The largest checkpoint outside; null before the first. */
const published = (): ReturnType<typeof parseCheckpoint> => {
  const folder = join(outside, 'countersign', tenant.id, '1');
  if (!existsSync(folder)) return null;
  const [largest] = readdirSync(folder)
    .filter((name) => /^\d/.test(name))
    .sort()
    .reverse();
  // The folder stands before its first file does.
  return largest === undefined ? null : parseCheckpoint(readFileSync(join(folder, largest), 'utf8'));
};
const publishedBeyond = (size: number) =>
  until(() => {
    const found = published();
    return found !== null && found.checkpoint.treeSize > size ? found.checkpoint : null;
  });

it('a primary killed under load loses nothing acknowledged, and the log stays one', async () => {
  const acknowledged = [...(await submitMany(TASKS))];
  const before = await publishedBeyond(TASKS);

  const meanwhile = submitMany(TASKS);
  await pair.killPrimary();
  await pair.promote();
  const promoted = performance.now();
  acknowledged.push(await submit());
  expect(performance.now() - promoted).toBeLessThan(ON_WITHIN_MS);
  acknowledged.push(...(await meanwhile), ...(await submitMany(TASKS)));

  const kept: string[] = [];
  for (let page = '/v1/tasks?limit=100'; page !== '';) {
    const { body } = expectStatus(await api.http(token).get(page), 200);
    kept.push(...(body.items as { id: string }[]).map(({ id }) => id));
    page =
      typeof body.next_cursor === 'string' ? `/v1/tasks?limit=100&cursor=${encodeURIComponent(body.next_cursor)}` : '';
  }
  // Each is there, and none twice: a repeated request is done once.
  expect([...kept].sort()).toEqual([...acknowledged].sort());

  const after = await publishedBeyond(before.treeSize + TASKS);
  const path = `/v1/audit/consistency?epoch=1&first=${String(before.treeSize)}&second=${String(after.treeSize)}`;
  const { body } = expectStatus(await api.http(tenant.admin.token).get(path), 200);
  expect(
    verifyConsistency({
      ...{ firstSize: before.treeSize, secondSize: after.treeSize },
      ...{ firstRoot: before.rootHash, secondRoot: after.rootHash },
      proof: (body.proof as string[]).map((hash) => Uint8Array.from(Buffer.from(hash, 'hex'))),
    }),
  ).toBe(true);
}, 120_000);
