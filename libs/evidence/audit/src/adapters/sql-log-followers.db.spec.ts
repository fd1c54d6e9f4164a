import type { Tx } from '#lib/kernel';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import type { LogFollowerId } from '../domain/ids.js';
import { SqlLogFollowers } from './sql-log-followers.js';
import { TypeormLogProgress } from './typeorm-log-progress.js';

let world: Awaited<ReturnType<typeof postgresWorld>>;
beforeAll(async () => {
  world = await postgresWorld();
});
afterAll(() => world.close());

it('a postponed follower is due no more, and counts in the age of the backlog', async () => {
  const followers = new SqlLogFollowers();
  const { tenantId } = world.home;
  const due = async (secondsAgo: number): Promise<number> => {
    // The database counts microseconds: a follower of this millisecond is due.
    const at = new Date(Date.now() + 1_000 - secondsAgo * 1_000);
    return (await world.db.systemQuery.call('log_follow_due', at, 10, [], [])).length;
  };
  await world.uow.run(tenantId, (tx) => followers.begin(tx, 'reader'));
  await world.uow.run(tenantId, (tx) => followers.grown(tx, { epoch: 1, size: 5 }));
  const [found] = await world.db.systemQuery.call('log_follow_due', new Date(Date.now() + 1_000), 10, [], []);
  const id = found?.id as LogFollowerId | undefined;
  if (id === undefined) throw new Error('nobody follows the log');
  expect(await due(0)).toBe(1);
  expect(await due(60)).toBe(0);
  await world.uow.run(tenantId, async (tx) => followers.postpone(tx, id, (await tx.now()) + 3_600_000));
  await world.db.owner.query(`update log_follower set behind_since = now() - interval '2 minutes'`);
  expect(await due(0)).toBe(0);
  expect(await due(60)).toBe(1);
  // Growth leaves the beginning of the wait as it is, until the follower has caught up.
  await world.uow.run(tenantId, (tx) => followers.grown(tx, { epoch: 1, size: 6 }));
  expect(await due(60)).toBe(1);
  await world.uow.run(tenantId, (tx) => followers.move(tx, id, { epoch: 1, index: 6 }, 100));
  await world.uow.run(tenantId, (tx) => followers.grown(tx, { epoch: 1, size: 7 }));
  expect(await due(60)).toBe(0);
});

it('the progress of a follower counts the entries before it in the newest tree, and tells the next try', async () => {
  const [followers, progress] = [new SqlLogFollowers(), new TypeormLogProgress()];
  const inTx = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.other.tenantId, work);
  const read = () => inTx((tx) => progress.of(tx, 'reader'));
  expect(await read()).toBeNull();
  const id = await inTx((tx) => followers.beginExport(tx, 'reader'));
  expect(await read()).toEqual({ entriesBehind: 0, behindSince: null, failures: 0, retryAt: null });
  await inTx((tx) => followers.grown(tx, { epoch: 1, size: 5 }));
  await inTx((tx) => followers.move(tx, id, { epoch: 1, index: 2 }, 100));
  expect(await read()).toMatchObject({ entriesBehind: 3, behindSince: expect.any(Number), failures: 0, retryAt: null });
  const later = Date.now() + 3_600_000;
  await inTx((tx) => followers.failed(tx, id));
  await inTx((tx) => followers.postpone(tx, id, later));
  expect(await read()).toMatchObject({ failures: 1, retryAt: later });
  await inTx((tx) => progress.retryNow(tx, 'another'));
  expect(await read()).toMatchObject({ failures: 1, retryAt: later });
  await inTx((tx) => progress.retryNow(tx, 'reader'));
  expect((await read())?.retryAt).toBeLessThan(later);
  await inTx((tx) => followers.grown(tx, { epoch: 2, size: 4 }));
  expect(await read()).toMatchObject({ entriesBehind: 4 });
});
