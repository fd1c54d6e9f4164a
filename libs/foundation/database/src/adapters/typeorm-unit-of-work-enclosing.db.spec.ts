import { newId, type TenantId } from '#lib/kernel';
import { sqlOf } from './sql.js';
import { insertTenant, UNTOUCHED, unitOfWorkWorld } from '../../../../../test/support/unit-of-work-world.js';

describe('rehearsals and enclosing transactions over TypeORM', () => {
  const world = unitOfWorkWorld();

  it('rehearses: units of work join, see the writes of the earlier ones, and none of them stays', async () => {
    const id = newId<TenantId>();
    const seen = await world.uow.rehearse(id, async (rehearsal) => {
      await world.uow.run(id, (tx) => sqlOf(tx).execute(insertTenant, [id, 'a']));
      await world.uow.run(id, (tx) => {
        tx.rehearsal?.loosens.push('noted');
        return Promise.resolve();
      });
      const rows = await world.uow.run(id, (tx) => sqlOf(tx).query('select slug from tenant where id = $1', [id]));
      return { rows, noted: rehearsal.loosens };
    });
    expect(seen).toEqual({ rows: [{ slug: 'a' }], noted: ['noted'] });
    expect(await world.tenants()).toBe(0);
    await world.uow.run(id, (tx) => {
      expect(tx.rehearsal).toBeUndefined();
      return Promise.resolve();
    });
    expect(await world.settings()).toMatchObject([UNTOUCHED]);
  });

  it('rehearses within one tenant, and never inside a rehearsal', async () => {
    const id = newId<TenantId>();
    const other = world.uow.rehearse(id, () => world.uow.run(newId<TenantId>(), () => Promise.resolve()));
    await expect(other).rejects.toThrow('stays within its tenant');
    const nested = world.uow.rehearse(id, () => world.uow.rehearse(id, () => Promise.resolve()));
    await expect(nested).rejects.toThrow('A rehearsal holds no other');
  });

  it('encloses: units of work join, see the writes of the earlier ones, and all commit together', async () => {
    const id = newId<TenantId>();
    const seen = await world.uow.enclose(id, async ({ tx }) => {
      await world.uow.run(id, (joined) => sqlOf(joined).execute(insertTenant, [id, 'enclosed']));
      expect(await world.tenants()).toBe(0);
      return sqlOf(tx).query('select slug from tenant where id = $1', [id]);
    });
    expect(seen).toEqual([{ slug: 'enclosed' }]);
    expect(await world.tenants()).toBe(1);
  });

  it('keeps nothing of an enclosing transaction if a unit of work inside threw', async () => {
    const id = newId<TenantId>();
    const swallowed = world.uow.enclose(id, async ({ tx }) => {
      await sqlOf(tx).execute(insertTenant, [id, 'broken']);
      await world.uow.run(id, () => Promise.reject(new Error('refused'))).catch(() => undefined);
    });
    await expect(swallowed).rejects.toThrow('the work around it went on');
    const told: boolean[] = [];
    const thrown = world.uow.enclose(id, async (enclosed) => {
      await world.uow
        .run(id, (tx) =>
          sqlOf(tx)
            .execute(insertTenant, [id, 'broken'])
            .then(() => Promise.reject(new Error('refused'))),
        )
        .finally(() => told.push(enclosed.broken));
    });
    await expect(thrown).rejects.toThrow('refused');
    expect(told).toEqual([true]);
    expect(await world.tenants()).toBe(0);
  });

  it('encloses one tenant alone, and no transaction in another', async () => {
    const id = newId<TenantId>();
    const other = world.uow.enclose(id, () => world.uow.run(newId<TenantId>(), () => Promise.resolve()));
    await expect(other).rejects.toThrow('stays within its tenant');
    const nested = world.uow.enclose(id, () => world.uow.enclose(id, () => Promise.resolve()));
    await expect(nested).rejects.toThrow('encloses no other');
  });
});
