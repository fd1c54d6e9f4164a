import type { RowSeals, RunnerDispatchId, RunnerId, TenantId } from '#lib/kernel';
import { newId } from '#lib/kernel';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import type { RunnerDispatch } from '../application/runner-dispatch.ports.js';
import { DISPATCH_TRANSITIONS } from '../domain/dispatch-transitions.js';
import { SqlRunnerDispatchRepository } from './sql-runner-dispatch.repository.js';
import { SqlRunnerRepository } from './sql-runner.repository.js';

const calls = new SqlRunnerDispatchRepository();
const otherKey: RowSeals = {
  seal: () => Promise.resolve(`k9.${'A'.repeat(43)}`),
  holds: () => Promise.resolve(true),
};

let world: Awaited<ReturnType<typeof postgresWorld>>;
let runners: SqlRunnerRepository;
let tenant: TenantId;
beforeAll(async () => {
  world = await postgresWorld();
  runners = new SqlRunnerRepository(world.db.systemQuery, testSeals());
  tenant = world.home.tenantId;
});
afterAll(() => world.close());

/** A runner that is enrolled. @param by the repository that writes it. */
async function added(by = runners, pool = 'builders', environments = ['staging']): Promise<RunnerId> {
  const id = newId<RunnerId>();
  await world.uow.run(tenant, async (tx) => {
    const now = await tx.now();
    await by.insert(tx, {
      id,
      name: `r-${id}`,
      pool,
      environments,
      createdBy: world.home.admin.personId,
      createdAt: now,
    });
    await by.markEnrolled(tx, id, '1', now);
  });
  return id;
}

function offered(now: number, changes: Partial<RunnerDispatch> = {}): RunnerDispatch {
  return {
    id: newId<RunnerDispatchId>(),
    pool: `pool-${newId()}`,
    environment: 'staging',
    executor: 'workspace',
    sourceType: 'run',
    sourceId: newId(),
    step: 's',
    attempt: 1,
    tool: 'file-read',
    toolVersion: 1,
    arguments: { path: 'a\u0000b' },
    withSecrets: false,
    idempotencyKey: 'k',
    grantToken: 'a grant',
    state: 'waiting',
    offeredAt: now,
    offeredUntil: now + 10_000,
    answerBy: now + 20_000,
    runnerId: null,
    takenAt: null,
    endedAt: null,
    answer: null,
    outputSeq: 0,
    outputBytes: 0,
    outputCut: false,
    ...changes,
  };
}

/** A runner that takes this call. */
const of = ({ pool, environment }: RunnerDispatch) => ({ pool, environments: ['other', environment] });

describe('calls for runners in PostgreSQL', () => {
  it('have the transitions of the code', async () => {
    const { rows } = await world.db.owner.query<{ from: string | null; event: string; to: string }>(
      `select nullif(from_state, '') as "from", event, to_state as "to" from runner_dispatch_transition`,
    );
    expect(rows).toHaveLength(DISPATCH_TRANSITIONS.length);
    expect(rows).toEqual(expect.arrayContaining([...DISPATCH_TRANSITIONS]));
  });

  it('are read as they were written, with any character', async () => {
    await world.uow.run(tenant, async (tx) => {
      const call = offered(await tx.now());
      await calls.insert(tx, call);
      expect(await calls.find(tx, call.id)).toEqual(call);
      expect(await calls.ofSource(tx, call.sourceId)).toEqual([call]);
    });
  });

  it('are found by the name that their order gave them, the last offer first', async () => {
    await world.uow.run(tenant, async (tx) => {
      const now = await tx.now();
      const call = offered(now);
      const undo = { ...call, id: newId<RunnerDispatchId>(), idempotencyKey: 'k:undo', offeredAt: now + 1 };
      const again = { ...call, id: newId<RunnerDispatchId>(), offeredAt: now + 2 };
      for (const each of [call, again, undo]) await calls.insert(tx, each);
      const name = { source: { type: 'run', id: call.sourceId }, step: 's', attempt: 1, idempotencyKey: 'k' } as const;
      expect(await calls.lockSent(tx, name)).toEqual(again);
      expect(await calls.lockSent(tx, { ...name, attempt: 2 })).toBeNull();
    });
  });

  it('are passed over while another runner takes them, and given to one alone', async () => {
    const { uow } = world;
    const id = await added();
    const call = await uow.run(tenant, async (tx) => {
      const one = offered(await tx.now());
      await calls.insert(tx, one);
      return one;
    });
    await uow.run(tenant, async (tx) => {
      const now = await tx.now();
      expect((await calls.lockWaiting(tx, of(call), now))?.id).toBe(call.id);
      expect(await uow.run(tenant, (other) => calls.lockWaiting(other, of(call), now))).toBeNull();
      await calls.save(tx, call.id, { ...call, state: 'taken', runnerId: id, takenAt: now });
    });
    await uow.run(tenant, async (tx) => {
      const now = await tx.now();
      expect(await calls.lockWaiting(tx, of(call), now)).toBeNull();
      expect((await calls.lockUndelivered(tx, id, [], now))?.id).toBe(call.id);
      expect(await calls.lockUndelivered(tx, id, [call.id], now)).toBeNull();
      expect(await calls.lockUndelivered(tx, newId<RunnerId>(), [], now)).toBeNull();
      expect(await calls.lockUndelivered(tx, id, [], now + 20_000)).toBeNull();
    });
  });

  it('are offered no longer than until their time', async () => {
    await world.uow.run(tenant, async (tx) => {
      const now = await tx.now();
      const call = offered(now);
      await calls.insert(tx, call);
      expect(await calls.lockWaiting(tx, of(call), call.offeredUntil)).toBeNull();
      expect(await calls.lockWaiting(tx, { ...of(call), pool: 'another-pool' }, now)).toBeNull();
    });
  });

  it('are passed over by runners of other environments', async () => {
    await world.uow.run(tenant, async (tx) => {
      const now = await tx.now();
      const call = offered(now, { environment: 'production' });
      await calls.insert(tx, call);
      expect(await calls.lockWaiting(tx, { pool: call.pool, environments: ['staging'] }, now)).toBeNull();
      expect((await calls.lockWaiting(tx, of(call), now))?.id).toBe(call.id);
    });
  });

  it('are of their tenant alone', async () => {
    const call = await world.uow.run(tenant, async (tx) => {
      const one = offered(await tx.now());
      await calls.insert(tx, one);
      return one;
    });
    const seen = await world.uow.run(world.other.tenantId, async (tx) => [
      await calls.find(tx, call.id),
      await calls.lockWaiting(tx, of(call), await tx.now()),
    ]);
    expect(seen).toEqual([null, null]);
  });
});

describe('runners in PostgreSQL', () => {
  it('T42: are refused, with their keys and tokens, if another key sealed them', async () => {
    const forging = new SqlRunnerRepository(world.db.systemQuery, otherKey);
    const id = await added(forging);
    const [key, token] = [newId(), newId()];
    await world.uow.run(tenant, async (tx) => {
      const now = await tx.now();
      await forging.insertKey(tx, { id: key, runnerId: id, publicKey: 'A'.repeat(43), createdAt: now });
      const digest = Buffer.alloc(32, 7);
      await forging.insertEnrolment(tx, { id: token, runnerId: id, digest, createdAt: now, expiresAt: now + 1_000 });
    });
    const code = { failure: { code: 'record.not_authentic' } };
    await expect(world.uow.run(tenant, (tx) => runners.find(tx, id))).rejects.toMatchObject(code);
    await expect(world.uow.run(tenant, (tx) => runners.key(tx, key))).rejects.toMatchObject(code);
    await expect(world.uow.run(tenant, (tx) => runners.lockEnrolment(tx, token))).rejects.toMatchObject(code);
    expect((await world.uow.run(tenant, (tx) => runners.list(tx))).map((each) => each.id)).not.toContain(id);
  });

  it('use each proof once, count those of a minute, and drop those that expired', async () => {
    const id = await added();
    const proof = newId();
    await world.uow.run(tenant, async (tx) => {
      const later = (await tx.now()) + 60_000;
      expect(await runners.useProof(tx, id, proof, later)).toEqual({ fresh: true, recent: 1 });
      expect(await runners.useProof(tx, id, proof, later)).toEqual({ fresh: false, recent: 1 });
      expect(await runners.useProof(tx, id, newId(), later - 120_000)).toEqual({ fresh: true, recent: 2 });
      expect(await runners.useProof(tx, id, newId(), later)).toEqual({ fresh: true, recent: 2 });
    });
  });

  it('are online as long as one of pool and environment called of late, and was not revoked', async () => {
    const pool = 'online';
    const id = await added(runners, pool);
    await world.uow.run(tenant, async (tx) => {
      const now = await tx.now();
      const reach = (since: number, environment = 'staging', of = pool) => runners.reach(tx, of, environment, since);
      expect(await reach(now - 60_000)).toBe('online');
      expect(await reach(now - 60_000, 'production')).toBe('none');
      expect(await reach(now - 60_000, 'staging', 'others')).toBe('none');
      expect(await reach(now + 60_000)).toBe('offline');
      await runners.revoke(tx, id, world.home.admin.personId, now);
      expect(await reach(now - 60_000)).toBe('none');
      expect((await runners.find(tx, id))?.revokedAt).toBe(now);
    });
  });

  it('T42: are refused if somebody adds an environment to the row', async () => {
    const id = await added();
    await world.db.owner.query('alter table runner disable trigger user');
    await world.db.owner.query("update runner set environments = '{production,staging}' where id = $1", [id]);
    await world.db.owner.query('alter table runner enable trigger user');
    const code = { failure: { code: 'record.not_authentic' } };
    await expect(world.uow.run(tenant, (tx) => runners.find(tx, id))).rejects.toMatchObject(code);
  });

  it('have a name for themselves until they are revoked', async () => {
    const id = await added();
    await world.uow.run(tenant, async (tx) => {
      expect((await runners.byName(tx, `r-${id}`))?.id).toBe(id);
      await runners.revoke(tx, id, world.home.admin.personId, await tx.now());
      expect(await runners.byName(tx, `r-${id}`)).toBeNull();
    });
  });
});
