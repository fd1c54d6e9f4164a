import { EventEmitter, once } from 'node:events';
import { newId, type TenantId, type Tx } from '#lib/kernel';
import { openDataSource } from './open-data-source.js';
import { sqlOf } from './sql.js';
import { TypeormUnitOfWork } from './typeorm-unit-of-work.js';
import { raise, unitOfWorkWorld } from '../../../../../test/support/unit-of-work-world.js';

describe('the retries of a unit of work over TypeORM', () => {
  const world = unitOfWorkWorld();

  it('tries again after a serialization failure and after a deadlock, three times at most', async () => {
    for (const code of ['40001', '40P01']) {
      let attempts = 0;
      const result = await world.uow.run(newId<TenantId>(), async (tx) => {
        attempts += 1;
        if (attempts < 4) await sqlOf(tx).query(raise(code));
        return 'done';
      });
      expect([result, attempts]).toEqual(['done', 4]);
    }
    let attempts = 0;
    const hopeless = world.uow.run(newId<TenantId>(), (tx) => {
      attempts += 1;
      return sqlOf(tx).query(raise('40001'));
    });
    await expect(hopeless).rejects.toMatchObject({ code: '40001' });
    expect(attempts).toBe(4);
  });

  it('does not try anything else again', async () => {
    let attempts = 0;
    const run = world.uow.run(newId<TenantId>(), (tx) => {
      attempts += 1;
      return sqlOf(tx).query(raise('23505'));
    });
    await expect(run).rejects.toMatchObject({ code: '23505' });
    expect(attempts).toBe(1);
  });

  it('ends a real deadlock: both transactions succeed in the end', async () => {
    await world.db.owner.query(`insert into bootstrap_token (token_digest, created_at, expires_at)
      select sha256(name), now(), now() + interval '1 hour' from unnest(array['a', 'b']::bytea[]) as name`);
    const lock = (tx: Tx, name: string): Promise<number> =>
      sqlOf(tx).execute('update bootstrap_token set used_at = used_at where token_digest = sha256($1::bytea)', [name]);
    const pair = await openDataSource({
      url: world.db.url,
      poolSize: 2,
      applicationName: 'uow-test-pair',
      entities: [],
    });
    try {
      const both = new TypeormUnitOfWork(pair);
      let holding = 0;
      const bothHold = new EventEmitter();
      const attempts = { a: 0, b: 0 };
      const cross = (first: 'a' | 'b', second: 'a' | 'b'): Promise<string> =>
        both.run(newId<TenantId>(), async (tx) => {
          attempts[first] += 1;
          await lock(tx, first);
          if (attempts[first] === 1) {
            holding += 1;
            if (holding < 2) await once(bothHold, 'both');
            else bothHold.emit('both');
          }
          await lock(tx, second);
          return first;
        });
      expect(await Promise.all([cross('a', 'b'), cross('b', 'a')])).toEqual(['a', 'b']);
      // The one that was ended may take its row again before the other does, so that they meet once more.
      expect(attempts.a + attempts.b).toBeGreaterThan(2);
    } finally {
      await pair.destroy();
    }
  });
});
