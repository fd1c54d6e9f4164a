import { newId, type RowSeals } from '#lib/kernel';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { describeRunnerRepository } from '../application/runner.repository.contract.js';
import type { RunnerId } from '../domain/ids.js';
import { SqlRunnerRepository } from './sql-runner.repository.js';

describeRunnerRepository('SqlRunnerRepository', async () => {
  const world = await postgresWorld();
  return { world, runners: new SqlRunnerRepository(world.db.systemQuery, testSeals()) };
});

describe('T42: runners in PostgreSQL', () => {
  let world: Awaited<ReturnType<typeof postgresWorld>>;
  let runners: SqlRunnerRepository;
  beforeAll(async () => {
    world = await postgresWorld();
    runners = new SqlRunnerRepository(world.db.systemQuery, testSeals());
  });
  afterAll(() => world.close());

  const otherKey: RowSeals = {
    seal: () => Promise.resolve(`k9.${'A'.repeat(43)}`),
    holds: () => Promise.resolve(true),
  };
  const atHome = <T>(work: Parameters<typeof world.uow.run<T>>[1]): Promise<T> =>
    world.uow.run(world.home.tenantId, work);
  const added = async (by: SqlRunnerRepository): Promise<RunnerId> => {
    const id = newId<RunnerId>();
    const createdBy = world.home.admin.personId;
    await atHome(async (tx) => {
      const made = {
        id,
        name: `r-${id}`,
        pool: 'builders',
        environments: ['staging'],
        createdBy,
        createdAt: await tx.now(),
      };
      await by.insert(tx, made);
    });
    return id;
  };
  const notAuthentic = { failure: { code: 'record.not_authentic' } };

  it('are refused, with their keys and tokens, if another key sealed them', async () => {
    const forging = new SqlRunnerRepository(world.db.systemQuery, otherKey);
    const id = await added(forging);
    const [key, token] = [newId(), newId()];
    await atHome(async (tx) => {
      const now = await tx.now();
      await forging.insertKey(tx, { id: key, runnerId: id, publicKey: 'A'.repeat(43), createdAt: now });
      const digest = Buffer.alloc(32, 7);
      await forging.insertEnrolment(tx, { id: token, runnerId: id, digest, createdAt: now, expiresAt: now + 1_000 });
    });
    await expect(atHome((tx) => runners.find(tx, id))).rejects.toMatchObject(notAuthentic);
    await expect(atHome((tx) => runners.key(tx, key))).rejects.toMatchObject(notAuthentic);
    await expect(atHome((tx) => runners.lockEnrolment(tx, token))).rejects.toMatchObject(notAuthentic);
    expect((await atHome((tx) => runners.list(tx))).map((each) => each.id)).not.toContain(id);
  });

  it('are refused if somebody adds an environment to the row', async () => {
    const id = await added(runners);
    await world.db.owner.query('alter table runner disable trigger user');
    await world.db.owner.query("update runner set environments = '{production,staging}' where id = $1", [id]);
    await world.db.owner.query('alter table runner enable trigger user');
    await expect(atHome((tx) => runners.find(tx, id))).rejects.toMatchObject(notAuthentic);
  });
});
