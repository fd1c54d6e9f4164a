import { newId, type TenantId } from '#lib/kernel';
import { sqlOf } from './sql.js';
import { insertTenant, UNTOUCHED, terminate, unitOfWorkWorld } from '../../../../../test/support/unit-of-work-world.js';

describe('the tenant of a connection', () => {
  const world = unitOfWorkWorld();

  it('T20: a request that throws leaves no tenant and no limit on its connection', async () => {
    const [before] = (await world.settings()) as { pid: number }[];
    await expect(
      world.uow.run(newId<TenantId>(), () => Promise.reject(new Error('the request dies'))),
    ).rejects.toThrow();
    expect(await world.settings()).toEqual([{ ...UNTOUCHED, pid: before?.pid }]);
    expect(await world.dataSource.query('select id from tenant')).toEqual([]);
  });

  it('T20: a request with a failed statement, and one that fails and goes on, leave none', async () => {
    const [before] = (await world.settings()) as { pid: number }[];
    const failed = world.uow.run(newId<TenantId>(), (tx) => sqlOf(tx).query('select 1 / 0'));
    await expect(failed).rejects.toMatchObject({ code: '22012' });
    const swallowed = world.uow.run(newId<TenantId>(), async (tx) => {
      await sqlOf(tx)
        .query('select 1 / 0')
        .catch(() => undefined);
      return sqlOf(tx).query('select 1');
    });
    await expect(swallowed).rejects.toMatchObject({ code: '25P02' });
    expect(await world.settings()).toEqual([{ ...UNTOUCHED, pid: before?.pid }]);
  });

  it('T20: a request on a cut connection leaves none, and the next gets another connection', async () => {
    const [before] = (await world.settings()) as { pid: number }[];
    const id = newId<TenantId>();
    const run = world.uow.run(id, async (tx) => {
      await sqlOf(tx).execute(insertTenant, [id, 'a']);
      await world.db.owner.query('select 1');
      await terminate(world.db.adminUrl, before?.pid ?? 0);
      return sqlOf(tx).query('select 1');
    });
    await expect(run).rejects.toThrow();
    const [after] = (await world.settings()) as { pid: number }[];
    expect(after).toMatchObject(UNTOUCHED);
    expect(after?.pid).not.toBe(before?.pid);
    expect(await world.tenants()).toBe(0);
  });

  it('prepares a statement that is sent often, for every tenant its own answer', async () => {
    const ask = (tenantId: TenantId): Promise<{ id: TenantId }[]> =>
      world.uow.run(tenantId, (tx) => sqlOf(tx).query('select id from tenant where slug like $1', ['%']));
    const [a, b] = [newId<TenantId>(), newId<TenantId>()];
    await world.uow.run(a, (tx) => sqlOf(tx).execute(insertTenant, [a, 'a']));
    await world.uow.run(b, (tx) => sqlOf(tx).execute(insertTenant, [b, 'b']));
    for (let use = 0; use < 40; use += 1) {
      expect(await ask(a)).toEqual([{ id: a }]);
      expect(await ask(b)).toEqual([{ id: b }]);
    }
    const [row] = await world.dataSource.query<{ generic_plans: string }[]>(
      "select generic_plans from pg_prepared_statements where statement like 'select id from tenant where slug%'",
    );
    expect(Number(row?.generic_plans)).toBeGreaterThan(0);
  });

  it('takes nothing for a tenant but a UUID', async () => {
    const run = world.uow.run("x', true); drop table tenant; --" as TenantId, () => Promise.resolve());
    await expect(run).rejects.toThrow('A tenant is named by a UUID');
  });

  it('T20: a tenant set by the work itself for the database session would be seen: the check above can fail', async () => {
    await world.uow.run(newId<TenantId>(), (tx) =>
      sqlOf(tx).query("select set_config('app.tenant_id', $1, false)", [tx.tenantId]),
    );
    const [after] = (await world.settings()) as { tenant: string | null }[];
    expect(after?.tenant).not.toBeNull();
  });
});
