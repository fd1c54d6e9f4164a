import { newId, type JobName, type TenantId } from '#lib/kernel';
import { testDatabase, type TestDatabase } from '../../../../test/support/database.js';
import { until } from '../embedded/until.js';
import { openDatabase, type Database } from './open-database.js';

describe('jobs', () => {
  let db: TestDatabase;
  let database: Database;
  const failures: { name: JobName; error: unknown }[] = [];

  beforeEach(async () => {
    db = await testDatabase();
    database = await openDatabase(
      { kind: 'external', url: db.url },
      {
        applicationName: 'jobs-test',
        works: true,
        poolSize: 2,
        onError: (error) => {
          throw error;
        },
        onJobFailure: (name, error) => failures.push({ name, error }),
      },
    );
    failures.length = 0;
  });
  afterEach(async () => {
    await database.close();
    await db.close();
  });

  const waitFor = (done: () => boolean): Promise<true> =>
    until('the job', 15_000, () => Promise.resolve(done() ? true : undefined));
  const stored = async (): Promise<number> =>
    (await db.owner.query("select from pgboss.job where name = 'run.advance'")).rowCount ?? 0;

  it('reach their handler in the tenant that enqueued them, when the transaction commits and not before', async () => {
    const seen: { tenantId: string; runId: string }[] = [];
    database.jobWorker.register('run.advance', (tenantId, payload) => {
      seen.push({ tenantId, ...payload });
      return Promise.resolve();
    });
    await database.jobWorker.start();
    const tenantId = newId<TenantId>();
    await database.uow.run(tenantId, async (tx) => {
      await database.jobQueue.enqueue(tx, 'run.advance', { runId: 'r1' });
      expect(await stored()).toBe(0);
      expect(seen).toEqual([]);
    });
    await waitFor(() => seen.length > 0);
    expect(seen).toEqual([{ tenantId, runId: 'r1' }]);
  });

  it('vanish with a transaction that rolls back', async () => {
    const run = database.uow.run(newId<TenantId>(), async (tx) => {
      await database.jobQueue.enqueue(tx, 'run.advance', { runId: 'r1' });
      throw new Error('rolled back');
    });
    await expect(run).rejects.toThrow('rolled back');
    expect(await stored()).toBe(0);
  });

  it('wake a listening worker at once, far sooner than it polls', async () => {
    let arrived = 0;
    database.jobWorker.register('run.advance', () => {
      arrived = performance.now();
      return Promise.resolve();
    });
    await database.jobWorker.start();
    // The fastest of several: an unlucky pause of the machine is not what is measured, polling every 2 s would be.
    const latencies: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      arrived = 0;
      await database.uow.run(newId<TenantId>(), (tx) => database.jobQueue.enqueue(tx, 'run.advance', { runId: 'r' }));
      const committed = performance.now();
      await waitFor(() => arrived > 0);
      latencies.push(arrived - committed);
    }
    expect(Math.min(...latencies)).toBeLessThan(500);
  });

  it('wait for their time', async () => {
    await database.uow.run(newId<TenantId>(), (tx) =>
      database.jobQueue.enqueue(tx, 'run.advance', { runId: 'later' }, { startAfterMs: 90_000 }),
    );
    const { rows } = await db.owner.query<{ seconds: number }>(
      "select extract(epoch from start_after - created_on)::float as seconds from pgboss.job where name = 'run.advance'",
    );
    expect(rows[0]?.seconds).toBeCloseTo(90, 0);
  });

  it('are tried again after a handler threw, which is reported', async () => {
    let attempts = 0;
    database.jobWorker.register('run.advance', () => {
      attempts += 1;
      return attempts === 1 ? Promise.reject(new Error('not now')) : Promise.resolve();
    });
    await database.jobWorker.start();
    await database.uow.run(newId<TenantId>(), (tx) => database.jobQueue.enqueue(tx, 'run.advance', { runId: 'r' }));
    await waitFor(() => attempts === 2);
    expect(failures).toEqual([
      { name: 'run.advance', error: expect.objectContaining({ message: 'not now' }) as unknown },
    ]);
  });

  it('that make no sense are dropped without calling anybody', async () => {
    let calls = 0;
    database.jobWorker.register('run.advance', () => {
      calls += 1;
      return Promise.resolve();
    });
    for (const data of ['null', '{}', '{"tenant_id":7}', '{"tenant_id":"x"}', '[]']) {
      await db.app.query("insert into pgboss.job (name, data) values ('run.advance', $1)", [data]);
    }
    await database.jobWorker.start();
    await until('the jobs to be done', 15_000, async () => {
      const { rowCount } = await db.owner.query(
        "select from pgboss.job where name = 'run.advance' and state <> 'completed'",
      );
      return rowCount === 0 ? true : undefined;
    });
    expect(calls).toBe(0);
    expect(failures).toEqual([]);
  });

  it('leave the queue’s schema to the migrating role', async () => {
    await expect(db.app.query('drop table pgboss.job')).rejects.toMatchObject({ code: '42501' });
    await expect(db.app.query('create table pgboss.mine (n int)')).rejects.toMatchObject({ code: '42501' });
  });
});
