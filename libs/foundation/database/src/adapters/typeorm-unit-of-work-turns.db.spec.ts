import { EventEmitter, once } from 'node:events';
import { newId, type TenantId } from '#lib/kernel';
import { FairTurns } from '../application/fair-turns.js';
import { openDataSource } from './open-data-source.js';
import { sqlOf } from './sql.js';
import { TypeormUnitOfWork } from './typeorm-unit-of-work.js';
import { unitOfWorkWorld } from '../../../../../test/support/unit-of-work-world.js';

describe('the turns of units of work over TypeORM', () => {
  const world = unitOfWorkWorld();

  it('shares the turn of the transaction around it, and takes one of its own after that has ended', async () => {
    const pair = await openDataSource({
      url: world.db.url,
      poolSize: 4,
      applicationName: 'uow-test-nested',
      entities: [],
    });
    // One turn: a second transaction of any tenant waits until the first has ended.
    const turns = new FairTurns({ atOnce: 1, waitingOfTenant: 10, waitMs: 10_000 });
    const narrow = new TypeormUnitOfWork(pair, undefined, turns);
    const [id, other] = [newId<TenantId>(), newId<TenantId>()];
    const order: string[] = [];
    const note = (name: string) => (): Promise<void> => {
      order.push(name);
      return Promise.resolve();
    };
    try {
      let later: () => void = () => undefined;
      const ended = new Promise<void>((resolve) => (later = resolve));
      const around = narrow.run(id, async () => {
        await Promise.all([1, 2].map((each) => narrow.run(id, note(`inside ${String(each)}`))));
        await narrow.enclose(id, () => narrow.run(id, note('enclosed')));
        return { left: ended.then(() => narrow.run(id, note('left behind'))) };
      });
      const beside = narrow.run(other, note('beside'));
      const { left } = await around;
      const before = narrow.run(other, async () => {
        later();
        await new Promise((resolve) => setImmediate(resolve));
        await note('before')();
      });
      await Promise.all([beside, left, before]);
      expect(order.slice(0, 3).sort()).toEqual(['enclosed', 'inside 1', 'inside 2']);
      expect(order.slice(3)).toEqual(['beside', 'before', 'left behind']);
    } finally {
      await pair.destroy();
    }
  });

  it('asks whether its tenant moves once it has its turn, since a move waits shorter than a turn may take', async () => {
    const turns = new FairTurns({ atOnce: 1, waitingOfTenant: 10, waitMs: 10_000 });
    const asked: TenantId[] = [];
    const narrow = new TypeormUnitOfWork(world.dataSource, undefined, turns, (tenantId) => {
      asked.push(tenantId);
      return 'ask';
    });
    const [first, second] = [newId<TenantId>(), newId<TenantId>()];
    const [begun, over] = [new EventEmitter(), new EventEmitter()];
    const holds = narrow.run(first, async (tx) => {
      await sqlOf(tx).query('select 1');
      const left = once(over, 'over');
      begun.emit('begun');
      await left;
    });
    const waits = narrow.run(second, async (tx) => sqlOf(tx).query('select 1'));
    await once(begun, 'begun');
    expect(asked).toEqual([first]);
    over.emit('over');
    await Promise.all([holds, waits]);
    expect(asked).toEqual([first, second]);
  });

  it('gives its turn back however it ends: work that throws, a refused statement, a lost connection, no connection', async () => {
    const id = newId<TenantId>();
    const turns = new FairTurns({ atOnce: 1, waitingOfTenant: 10, waitMs: 10_000 });
    const narrow = new TypeormUnitOfWork(world.dataSource, undefined, turns);
    await expect(narrow.run(id, () => Promise.reject(new Error('thrown')))).rejects.toThrow('thrown');
    await expect(narrow.run(id, (tx) => sqlOf(tx).query('select 1 / 0'))).rejects.toMatchObject({ code: '22012' });
    const cut = narrow.run(id, async (tx) => {
      const [backend] = await sqlOf(tx).query<{ pid: number }>('select pg_backend_pid() as pid');
      await world.db.owner.query('select pg_terminate_backend($1)', [backend?.pid]);
      await sqlOf(tx).query('select 1');
    });
    await expect(cut).rejects.toThrow();
    await expect(narrow.rehearse(id, () => narrow.run(id, () => Promise.resolve('rehearsed')))).resolves.toBe(
      'rehearsed',
    );
    await expect(narrow.run(id, () => Promise.resolve('again'))).resolves.toBe('again');
    const closed = await openDataSource({
      url: world.db.url,
      poolSize: 1,
      applicationName: 'uow-test-closed',
      entities: [],
    });
    await closed.destroy();
    const unconnected = new TypeormUnitOfWork(closed, undefined, turns);
    await expect(unconnected.run(id, () => Promise.resolve())).rejects.toThrow();
    const leave = await turns.take(id);
    expect(leave).not.toBeNull();
  });

  it('refuses a transaction that has waited too long for its turn', async () => {
    const [id, other] = [newId<TenantId>(), newId<TenantId>()];
    const turns = new FairTurns({ atOnce: 1, waitingOfTenant: 10, waitMs: 20 });
    const narrow = new TypeormUnitOfWork(world.dataSource, undefined, turns);
    const leave = await turns.take(id);
    await expect(narrow.run(other, () => Promise.resolve())).rejects.toMatchObject({
      failure: { kind: 'unavailable', code: 'database.busy', retryAfterSeconds: 1 },
    });
    leave?.();
    await expect(narrow.run(other, () => Promise.resolve('served'))).resolves.toBe('served');
  });
});
