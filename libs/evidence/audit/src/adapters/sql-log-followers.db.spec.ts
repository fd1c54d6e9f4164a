import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import type { LogFollowerId } from '../domain/ids.js';
import { SqlLogFollowers } from './sql-log-followers.js';

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
