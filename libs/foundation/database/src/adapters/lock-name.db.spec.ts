import { newId, type TenantId, type Tx } from '#lib/kernel';
import { unitOfWorkWorld } from '../../../../../test/support/unit-of-work-world.js';
import { lockName, lockNameAhead, shareNameAhead } from './lock-name.js';
import { sqlOf } from './sql.js';

describe('a name', () => {
  const world = unitOfWorkWorld();

  /** Whether another connection can take the lock of the name, or share it. */
  const isFree = async (name: string, shared = ''): Promise<boolean> => {
    const { rows } = await world.db.owner.query<{ free: boolean }>(
      `select pg_try_advisory_xact_lock${shared}(hashtextextended($1, 0)) as free`,
      [name],
    );
    return rows[0]?.free ?? false;
  };

  it.each([
    ['lockName', lockName],
    [
      'lockNameAhead',
      async (tx: Tx, name: string) => {
        lockNameAhead(tx, name);
        await sqlOf(tx).query('select 1');
      },
    ],
  ])('is held by %s until the transaction ends, and no other name is', async (_, hold) => {
    const [held, other] = [newId(), newId()];
    await world.uow.run(newId<TenantId>(), async (tx) => {
      await hold(tx, held);
      expect([await isFree(held), await isFree(held, '_shared'), await isFree(other)]).toEqual([false, false, true]);
    });
    expect(await isFree(held)).toBe(true);
  });

  it('is shared by shareNameAhead, and not given to anybody alone', async () => {
    const name = newId();
    await world.uow.run(newId<TenantId>(), async (tx) => {
      shareNameAhead(tx, name);
      await sqlOf(tx).query('select 1');
      expect([await isFree(name, '_shared'), await isFree(name)]).toEqual([true, false]);
    });
  });
});
