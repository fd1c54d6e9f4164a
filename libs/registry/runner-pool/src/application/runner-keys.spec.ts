import { newId, type SecretDigests } from '#lib/kernel';
import { FakeAuditSink } from '../../../../foundation/kernel/src/fake-ports.js';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { RunnerId } from '../domain/ids.js';
import { fakeRunnerPool } from '../fake-runner-pool.js';
import { FakeRunnerDispatchRepository } from './fake-runner-dispatch.repository.js';
import { FakeRunnerMcpServers } from './fake-runner-mcp-servers.js';
import { sampleDispatch } from './fake-runner-dispatch.js';
import { FakeRunnerRepository } from './fake-runner.repository.js';

const [KEY, NEXT, OTHER] = ['A', 'B', 'C'].map((letter) => letter.repeat(43)) as [string, string, string];
const HOUR_MS = 3_600_000;
const REVOKED = { ok: false, error: { code: 'runner.revoked' } };
const REFUSED = { ok: false, error: { code: 'runner.enrolment_refused' } };

const digests: SecretDigests = {
  digest: (_kind, secret) => Promise.resolve(Buffer.alloc(32, secret)),
  candidates: (_kind, secret) => Promise.resolve([Buffer.alloc(32, secret)]),
};

/** A runner with the token `token`, and the use cases of its keys. */
async function keyWorld() {
  const { uow, home } = fakeWorld();
  const { tenantId } = home;
  const admin = { ...home.admin, scopes: ['read', 'admin'] } as const;
  const [runners, dispatches] = [new FakeRunnerRepository(uow), new FakeRunnerDispatchRepository(uow)];
  const servers = new FakeRunnerMcpServers(uow, runners);
  const audit = new FakeAuditSink(uow);
  const id = newId<RunnerId>();
  const made = { id, name: 'build-01', pool: 'builders', environments: ['staging'], createdAt: uow.now };
  await uow.run(tenantId, async (tx) => {
    await runners.insert(tx, { ...made, createdBy: home.admin.personId });
    const times = { createdAt: uow.now, expiresAt: uow.now + HOUR_MS };
    await runners.insertEnrolment(tx, { id: newId(), runnerId: id, digest: Buffer.alloc(32, 'token'), ...times });
  });
  const {
    enrolRunner: enrolling,
    revokeRunner: revoking,
    rotateRunnerKey: rotating,
    reportCall: reporting,
  } = fakeRunnerPool({ uow, rows: { runners, dispatches, mcpServers: servers }, digests, audit });
  const enrol = (publicKey: string, token = 'token') => enrolling.execute(token, { publicKey, version: '1' });
  return {
    uow,
    id,
    enrol,
    enrolled: async () => {
      const done = await enrol(KEY);
      if (!done.ok) throw new Error('the token was refused');
      return done.value;
    },
    rotating,
    reporting,
    lists: (name: string) => uow.run(tenantId, (tx) => servers.replace(tx, id, [{ name, problem: null, tools: [] }])),
    listed: () => uow.run(tenantId, async (tx) => (await servers.counted(tx)).get(id) ?? []),
    revoke: () => revoking.execute(admin, id),
    revokeKey: (key: string) => uow.run(tenantId, (tx) => runners.revokeKeys(tx, [key], uow.now)),
    keys: () => uow.run(tenantId, (tx) => runners.keys(tx, id)),
    taken: async () => {
      const call = sampleDispatch(uow.now, { state: 'taken', runnerId: id, takenAt: uow.now });
      await uow.run(tenantId, (tx) => dispatches.insert(tx, call));
      return call.id;
    },
    find: (call: Awaited<ReturnType<typeof sampleDispatch>>['id']) =>
      uow.run(tenantId, (tx) => dispatches.find(tx, call)),
    actions: () => audit.of(home).map(({ action }) => action),
  };
}

describe('the token of a runner', () => {
  it('gives the same ids again to the same key, and registers it once', async () => {
    const world = await keyWorld();
    const first = await world.enrolled();
    world.uow.now += HOUR_MS - 1;
    const { tenantId, keyId } = first;
    expect(await world.enrol(KEY)).toMatchObject({ ok: true, value: { tenantId, keyId, runner: { id: world.id } } });
    expect(await world.keys()).toHaveLength(1);
    expect(world.actions()).toEqual(['runner.enrolled']);
  });

  it('is refused for another key, after its hour, and if it is unknown', async () => {
    const world = await keyWorld();
    await world.enrolled();
    expect(await world.enrol(OTHER)).toMatchObject(REFUSED);
    expect(await world.enrol(KEY, 'another')).toMatchObject(REFUSED);
    world.uow.now += HOUR_MS;
    expect(await world.enrol(KEY)).toMatchObject(REFUSED);
    expect(await world.keys()).toHaveLength(1);
  });

  it('is refused once its key or its runner was revoked', async () => {
    const [one, two] = [await keyWorld(), await keyWorld()];
    await one.revokeKey((await one.enrolled()).keyId);
    expect(await one.enrol(KEY)).toMatchObject(REFUSED);
    await two.enrolled();
    await two.revoke();
    expect(await two.enrol(KEY)).toMatchObject(REFUSED);
  });
});

describe('a request of a runner that was proved before a revocation, and takes its lock after it', () => {
  it('registers no key for a revoked runner', async () => {
    const world = await keyWorld();
    const proven = await world.enrolled();
    await world.revoke();
    expect(await world.rotating.execute(proven, NEXT)).toMatchObject(REVOKED);
    expect(await world.keys()).toHaveLength(1);
  });

  it('registers no key that a revoked key signs in', async () => {
    const world = await keyWorld();
    const proven = await world.enrolled();
    const next = await world.rotating.execute(proven, NEXT);
    await world.revokeKey(proven.keyId);
    expect(await world.rotating.execute(proven, OTHER)).toMatchObject(REVOKED);
    expect((await world.keys()).filter(({ revokedAt }) => revokedAt === null)).toMatchObject([
      { id: next.ok ? next.value : '', publicKey: NEXT },
    ]);
  });

  it('leaves no MCP server of a revoked runner', async () => {
    const world = await keyWorld();
    await world.lists('files');
    expect(await world.listed()).toHaveLength(1);
    await world.revoke();
    expect(await world.listed()).toEqual([]);
  });

  it('reports nothing for a revoked runner', async () => {
    const world = await keyWorld();
    const proven = await world.enrolled();
    const call = await world.taken();
    await world.revoke();
    const chunk = { stream: 'stdout', text: 'forged' } as const;
    expect(await world.reporting.output(proven, call, 1, [chunk])).toMatchObject(REVOKED);
    expect(await world.reporting.result(proven, call, { ok: true, result: 1 })).toMatchObject(REVOKED);
    expect(await world.find(call)).toMatchObject({ state: 'lost', answer: null, outputSeq: 0 });
  });
});
