import { newId, type TenantId, type Tx } from '#lib/kernel';
import { NotNow } from '../application/not-now.js';
import { isSqlError, lastly, sqlOf, type LastWork } from './sql.js';
import { TypeormUnitOfWork } from './typeorm-unit-of-work.js';
import { insertTenant, raise, unitOfWorkWorld } from '../../../../../test/support/unit-of-work-world.js';

const nothing = (): Promise<void> => Promise.resolve();

describe('the last work of a transaction over TypeORM', () => {
  const world = unitOfWorkWorld();
  let id: TenantId;
  beforeEach(() => {
    id = newId<TenantId>();
  });

  const rename = (tx: Tx, name: string): Promise<number> => sqlOf(tx).execute('update tenant set name = $1', [name]);
  const names = async (): Promise<readonly string[]> =>
    (await world.db.owner.query<{ name: string }>('select name from tenant')).rows.map(({ name }) => name);
  /** A transaction that writes a tenant, and ends with this work. */
  const ending = (work: Partial<LastWork>, uow = world.uow): Promise<unknown> =>
    uow.run(id, async (tx) => {
      lastly(tx, { attempt: () => Promise.resolve(nothing), otherwise: nothing, ...work });
      sqlOf(tx).executeAhead(insertTenant, [id, 'first']);
      await Promise.resolve();
      return tx;
    });
  /** An attempt within the transaction, as a use case of another library makes it. */
  const inside = (attempt: (tx: Tx) => Promise<unknown>) => () =>
    world.uow.run(id, async (tx) => {
      await attempt(tx);
      return nothing;
    });

  it('sees all that the transaction wrote, and commits with it', async () => {
    await ending({
      attempt: inside(async (tx) => {
        expect(await sqlOf(tx).query('select name from tenant')).toEqual([{ name: 'first' }]);
        await rename(tx, 'last');
        expect(await names()).toEqual([]);
      }),
    });
    expect(await names()).toEqual(['last']);
  });

  it('has its step after the commit, in no transaction', async () => {
    const seen: unknown[] = [];
    const step = async (): Promise<void> => {
      // The pool has one connection: the query would wait for it if the transaction still had it.
      seen.push(await world.uow.run(id, (tx) => sqlOf(tx).query('select name from tenant')));
    };
    await ending({ attempt: () => Promise.resolve(step) });
    await world.uow.close();
    expect(seen).toEqual([[{ name: 'first' }]]);
  });

  it.each<[string, (tx: Tx) => Promise<unknown>]>([
    ['throws', () => Promise.reject(new Error('not now'))],
    ['has a statement refused', (tx) => sqlOf(tx).query(raise('22000'))],
    [
      'has a statement refused that it does not wait for',
      (tx) => {
        sqlOf(tx).executeAhead(raise('22000'));
        return Promise.resolve();
      },
    ],
    [
      'has a call refused that it does not wait for',
      (tx) => {
        sqlOf(tx).callAhead('no_such_function', []);
        return Promise.resolve();
      },
    ],
  ])('fails alone if it %s: other work takes its place', async (_what, fails) => {
    await ending({
      attempt: inside(async (tx) => {
        await rename(tx, 'attempted');
        await fails(tx);
      }),
      otherwise: async () => {
        await world.uow.run(id, (tx) => rename(tx, 'otherwise'));
      },
    });
    expect(await names()).toEqual(['otherwise']);
  });

  it('is not begun in a transaction that fails, and goes no further if COMMIT is refused', async () => {
    await world.db.owner.query(`
      create table late (tenant_id uuid not null, id uuid not null, constraint late_pk primary key (tenant_id, id) deferrable initially deferred);
      select countersign_protect('late')`);
    const attempt = jest.fn(() => Promise.resolve(nothing));
    const failing = world.uow.run(id, (tx) => {
      lastly(tx, { attempt, otherwise: nothing });
      return Promise.reject(new Error('changed my mind'));
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(attempt).not.toHaveBeenCalled();
    const step = jest.fn(nothing);
    const refused = world.uow.run(id, async (tx) => {
      lastly(tx, { attempt: () => Promise.resolve(step), otherwise: nothing });
      await sqlOf(tx).execute('insert into late values ($1, $1), ($1, $1)', [id]);
    });
    await expect(refused).rejects.toMatchObject({ code: '23505', constraint: 'late_pk' });
    expect(step).not.toHaveBeenCalled();
    expect(await names()).toEqual([]);
  });

  it('waits a quarter of a second for a lock, and the commit as long as any', async () => {
    const holder = await world.db.owner.connect();
    const refusals: unknown[] = [];
    const locked = inside((tx) =>
      sqlOf(tx)
        .query('select pg_advisory_xact_lock(1)')
        .catch((error: unknown) => {
          refusals.push(error);
          throw error;
        }),
    );
    let waits: unknown;
    try {
      await holder.query('begin; select pg_advisory_xact_lock(1)');
      await world.uow.run(id, (tx) => {
        lastly(tx, { attempt: locked, otherwise: nothing });
        lastly(tx, { attempt: () => Promise.resolve(nothing), otherwise: nothing });
        lastly(tx, {
          attempt: () => Promise.reject(new Error('not now')),
          otherwise: async () => {
            waits = await sqlOf(tx).query("select current_setting('lock_timeout') as lock");
          },
        });
        return Promise.resolve();
      });
    } finally {
      await holder.query('rollback');
      holder.release();
    }
    expect(refusals.map((error) => isSqlError(error, '55P03'))).toEqual([true]);
    expect(waits).toEqual([{ lock: '5s' }]);
  });

  it('is reported if its attempt or its step fails, unless the attempt was put off with NotNow', async () => {
    const failures: Error[] = [];
    const { dataSource } = world;
    const report = (error: Error): void => void failures.push(error);
    const uow = new TypeormUnitOfWork(dataSource, undefined, undefined, undefined, undefined, report);
    const rejecting = (error: Error) => () => Promise.reject(error);
    const attempts: readonly LastWork['attempt'][] = [
      rejecting(new NotNow('sixteen are under way')),
      rejecting(new Error('a bug')),
      () => Promise.resolve(rejecting(new Error('the network is away'))),
    ];
    for (const attempt of attempts) {
      await ending({ attempt }, uow);
      await world.db.owner.query('delete from tenant');
    }
    await uow.close();
    expect(failures.map(({ message }) => message.replace(/tenant \S+:/, 'tenant …:'))).toEqual([
      'The last work of a transaction failed, and other work took its place, tenant …: Error: a bug',
      'A step after a commit failed, tenant …: Error: the network is away',
    ]);
  });
});
