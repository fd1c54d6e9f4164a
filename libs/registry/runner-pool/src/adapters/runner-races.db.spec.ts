import { newId, type Tx } from '#lib/kernel';
import { waitsBehind } from '../../../../foundation/kernel/src/fake-lock.js';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testKeys, testSeals } from '../../../../../test/support/seals.js';
import { sampleDispatch } from '../application/fake-runner-dispatch.js';
import { createRunnerPoolStore, type RunnerPoolRows } from '../create-runner-pool.js';
import type { RunnerId } from '../domain/ids.js';
import { fakeRunnerPool } from '../fake-runner-pool.js';

let world: Awaited<ReturnType<typeof postgresWorld>>;
let rows: RunnerPoolRows;
let runners: RunnerPoolRows['runners'];
let calls: RunnerPoolRows['dispatches'];
beforeAll(async () => {
  world = await postgresWorld();
  rows = createRunnerPoolStore({ system: world.db.systemQuery, seals: testSeals(), texts: testKeys().texts });
  ({ runners, dispatches: calls } = rows);
});
afterAll(() => world.close());

/** A runner whose key was verified for a request, and a call that it has taken. */
async function proven() {
  const { tenantId, admin } = world.home;
  const [id, keyId] = [newId<RunnerId>(), newId()];
  return world.uow.run(tenantId, async (tx) => {
    const now = await tx.now();
    const made = { id, name: `r-${id}`, pool: 'builders', environments: ['staging'], createdAt: now };
    await runners.insert(tx, { ...made, createdBy: admin.personId });
    await runners.markEnrolled(tx, id, '1', now);
    await runners.insertKey(tx, { id: keyId, runnerId: id, publicKey: keyOf(keyId), createdAt: now });
    const call = sampleDispatch(now, { state: 'waiting' });
    await calls.insert(tx, call);
    await calls.save(tx, call.id, { ...call, state: 'taken', runnerId: id, takenAt: now });
    const runner = await runners.find(tx, id);
    if (runner === null) throw new Error('the runner is gone');
    return { by: { tenantId, runner, keyId }, call: call.id };
  });
}

const keyOf = (id: string): string => Buffer.from(id.slice(0, 32).padEnd(32, '.')).toString('base64url');
/** The use cases, in the transaction that the test has opened. */
const within = (tx: Tx) => fakeRunnerPool({ uow: { run: (_tenant, work) => work(tx) }, rows });
const revokes = (id: RunnerId) => async (tx: Tx) => {
  await runners.find(tx, id, 'update');
  await runners.revoke(tx, id, world.home.admin.personId, await tx.now());
};
const INTRODUCTION = { version: '1', tools: [], hooks: [], noWayBack: null };
const REVOKED = { ok: false, error: { code: 'runner.revoked' } };

it('registers no key while a revocation is under way: it waits, and is refused', async () => {
  const { by } = await proven();
  let answer: unknown;
  const rotates = async (tx: Tx) => {
    answer = await within(tx).rotateRunnerKey.execute(by, keyOf(newId()));
  };
  expect(await waitsBehind(world, revokes(by.runner.id), rotates)).toBe(true);
  expect(answer).toMatchObject(REVOKED);
});

it('takes no report while a revocation is under way: it waits, and is refused', async () => {
  const { by, call } = await proven();
  let answer: unknown;
  const reports = async (tx: Tx) => {
    answer = await within(tx).reportCall.result(by, call, { ok: true, result: 1 });
  };
  expect(await waitsBehind(world, revokes(by.runner.id), reports)).toBe(true);
  expect(answer).toMatchObject(REVOKED);
});

it('gives a call to a waiting runner, though its row was locked when the notification came', async () => {
  const { by } = await proven();
  const { tenantId } = by;
  const call = sampleDispatch(Date.now(), { pool: by.runner.pool });
  await world.uow.run(tenantId, async (tx) => {
    await runners.introduce(tx, by.runner.id, { ...INTRODUCTION, worksIn: ['staging'] });
    await calls.insert(tx, call);
  });
  let unlock = (): void => undefined;
  const waits: number[] = [];
  let locked = (): void => undefined;
  const isLocked = new Promise<void>((resolve) => (locked = resolve));
  const looks = world.uow.run(tenantId, async (tx) => {
    await calls.lock(tx, call.id);
    locked();
    await new Promise<void>((resolve) => (unlock = resolve));
  });
  await isLocked;
  const next = async (ms: number): Promise<void> => {
    waits.push(ms);
    if (waits.length > 1) throw new Error('it waits again');
    unlock();
    await looks;
  };
  const signals = { listen: () => ({ next, close: () => undefined }) };
  const { takeCall: take } = fakeRunnerPool({ uow: world.uow, rows, signals });
  const held = (await world.uow.run(tenantId, (tx) => calls.lockTaken(tx, by.runner.id))).map(({ id }) => id);
  const taken = await take.execute(by, { waitMs: 60_000, held, gone: new AbortController().signal });
  expect(taken).toMatchObject({ ok: true, value: { call: { id: call.id } } });
  expect(waits).toEqual([50]);
});
