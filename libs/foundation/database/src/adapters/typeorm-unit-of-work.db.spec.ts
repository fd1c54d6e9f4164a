import { err, FailureError, newId, type TenantId, type TransactionMode, type Tx } from '#lib/kernel';
import type { TransactionLimits } from './begin-transaction.js';
import { isSqlError, sqlOf, SqlError } from './sql.js';
import { TypeormUnitOfWork } from './typeorm-unit-of-work.js';
import { insertTenant, UNTOUCHED, gone, unitOfWorkWorld } from '../../../../../test/support/unit-of-work-world.js';

describe('the unit of work over TypeORM', () => {
  const world = unitOfWorkWorld();

  it('commits if the work returns, also a refusal', async () => {
    const id = newId<TenantId>();
    const result = await world.uow.run(id, async (tx) => {
      await sqlOf(tx).execute(insertTenant, [id, 'a']);
      return err({ kind: 'conflict' as const, code: 'x.y', message: 'refused and recorded' });
    });
    expect(result).toMatchObject({ ok: false });
    expect(await world.tenants()).toBe(1);
  });

  it('waits for the disk, unless the work may be lost', async () => {
    const tenant = newId<TenantId>();
    const source = (tx: Tx) =>
      sqlOf(tx).query("select setting, source from pg_settings where name = 'synchronous_commit'");
    // The server's own setting, UNTOUCHED; the tests' own server waits for no disk at all.
    expect(await world.uow.run(tenant, source)).toEqual([{ setting: 'off', source: 'command line' }]);
    expect(await world.uow.run(tenant, source, 'losable')).toEqual([{ setting: 'off', source: 'session' }]);
    expect(await world.uow.run(tenant, source)).toEqual([{ setting: 'off', source: 'command line' }]);
    await world.uow.enclose(tenant, async () => {
      expect(await world.uow.run(tenant, source, 'losable')).toEqual([{ setting: 'off', source: 'command line' }]);
    });
  });

  it('sees the rows of one moment in a snapshot, which writes nothing', async () => {
    const tenant = newId<TenantId>();
    const name = (tx: Tx): Promise<unknown> => sqlOf(tx).query('select name from tenant');
    const renamedBetween = (mode?: TransactionMode): Promise<readonly unknown[]> =>
      world.uow.run(
        tenant,
        async (tx) => {
          const before = await name(tx);
          await world.db.owner.query("update tenant set name = name || '!' where id = $1", [tenant]);
          return [before, await name(tx)];
        },
        mode,
      );
    await world.uow.run(tenant, (tx) => sqlOf(tx).execute(insertTenant, [tenant, 'a']));
    expect(await renamedBetween('snapshot')).toEqual([[{ name: 'a' }], [{ name: 'a' }]]);
    expect(await renamedBetween()).toEqual([[{ name: 'a!' }], [{ name: 'a!!' }]]);
    const write = world.uow.run(tenant, (tx) => sqlOf(tx).execute("update tenant set name = 'b'", []), 'snapshot');
    await expect(write).rejects.toBeInstanceOf(FailureError);
    expect(await world.uow.run(tenant, name)).toEqual([{ name: 'a!!' }]);
  });

  it('rolls back if the work throws', async () => {
    const id = newId<TenantId>();
    const run = world.uow.run(id, async (tx) => {
      await sqlOf(tx).execute(insertTenant, [id, 'a']);
      throw new Error('thrown by the work');
    });
    await expect(run).rejects.toThrow('thrown by the work');
    expect(await world.tenants()).toBe(0);
  });

  it('does not pretend a commit if PostgreSQL rolled back', async () => {
    const id = newId<TenantId>();
    const run = world.uow.run(id, async (tx) => {
      await sqlOf(tx).execute(insertTenant, [id, 'a']);
      await sqlOf(tx)
        .query('select 1 / 0')
        .catch(() => undefined);
      return 'done';
    });
    await expect(run).rejects.toMatchObject({ code: '25P02' });
    expect(await world.tenants()).toBe(0);
    const fixed = await world.uow.run(id, async (tx) => {
      await sqlOf(tx).execute(insertTenant, [id, 'a']);
      await sqlOf(tx).query('savepoint before');
      await sqlOf(tx)
        .query('select 1 / 0')
        .catch(() => undefined);
      await sqlOf(tx).query('rollback to savepoint before');
      return 'done';
    });
    expect(fixed).toBe('done');
    expect(await world.tenants()).toBe(1);
  });

  it('reports a refusal of COMMIT itself', async () => {
    await world.db.owner.query(`
      create table late (tenant_id uuid not null, id uuid not null, constraint late_pk primary key (tenant_id, id) deferrable initially deferred);
      select countersign_protect('late')`);
    const tenantId = newId<TenantId>();
    const run = world.uow.run(tenantId, async (tx) => {
      await sqlOf(tx).execute('insert into late values ($1, $1), ($1, $1)', [tenantId]);
    });
    await expect(run).rejects.toMatchObject({ code: '23505', constraint: 'late_pk' });
    expect(await world.settings()).toMatchObject([UNTOUCHED]);
  });

  it('refuses a transaction that is used after its end', async () => {
    const tenantId = newId<TenantId>();
    const kept = await world.uow.run(tenantId, (tx) => Promise.resolve(tx));
    expect(kept.tenantId).toBe(tenantId);
    await expect(sqlOf(kept).query('select 1')).rejects.toThrow('This transaction has ended');
  });

  it('tells the time of the database, which moves while the transaction runs', async () => {
    const [first, second] = await world.uow.run(newId<TenantId>(), async (tx) => {
      const before = await tx.now();
      await sqlOf(tx).query('select pg_sleep(0.02)');
      return [before, await tx.now()] as const;
    });
    expect(Number.isInteger(first)).toBe(true);
    expect(second).toBeGreaterThanOrEqual(first + 20);
  });

  it('bounds a statement, a wait for a lock, and idleness', async () => {
    // One short limit at a time: a slow machine reaches no other one first.
    const bounded = (limits: Partial<TransactionLimits>) =>
      new TypeormUnitOfWork(world.dataSource, { statementMs: 20_000, lockMs: 20_000, idleMs: 20_000, ...limits });
    const slow = bounded({ statementMs: 50 }).run(newId<TenantId>(), (tx) => sqlOf(tx).query('select pg_sleep(20)'));
    await expect(slow).rejects.toMatchObject({ code: '57014' });

    const holder = await world.db.owner.connect();
    try {
      await holder.query('begin; lock table tenant');
      const wait = bounded({ lockMs: 50 }).run(newId<TenantId>(), (tx) => sqlOf(tx).query('select from tenant'));
      await expect(wait).rejects.toMatchObject({ code: '55P03' });
    } finally {
      await holder.query('rollback');
      holder.release();
    }

    const idle = bounded({ idleMs: 50 }).run(newId<TenantId>(), async (tx) => {
      const [row] = await sqlOf(tx).query<{ pid: number }>('select pg_backend_pid() as pid');
      await gone(world.db, row?.pid ?? 0);
      return sqlOf(tx).query('select 1');
    });
    await expect(idle).rejects.toThrow();
  });

  it('names the refusing constraint without repeating the values', async () => {
    const id = newId<TenantId>();
    await world.uow.run(id, (tx) => sqlOf(tx).execute(insertTenant, [id, 'secret-slug']));
    const again = newId<TenantId>();
    const error: unknown = await world.uow
      .run(again, (tx) => sqlOf(tx).execute(insertTenant, [again, 'secret-slug']))
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SqlError);
    expect(isSqlError(error, '23505', 'tenant_slug_key')).toBe(true);
    expect(isSqlError(error, '23505', 'another_key')).toBe(false);
    const shown = JSON.stringify(error, Object.getOwnPropertyNames(error)) + String(error);
    expect(shown).not.toContain('secret-slug');

    const malformed = world.uow.run(id, (tx) => sqlOf(tx).query('select $1::text::uuid', ['hunter2']));
    await expect(malformed).rejects.toMatchObject({
      code: '22P02',
      message: 'invalid input syntax for type uuid: "..."',
    });
  });

  it('refuses an object that is no transaction of a database', () => {
    const fake: Tx = { tenantId: newId<TenantId>(), now: () => Promise.resolve(0) };
    expect(() => sqlOf(fake)).toThrow('a fake was passed to a real adapter');
  });
});
