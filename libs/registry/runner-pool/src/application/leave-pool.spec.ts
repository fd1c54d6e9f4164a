import { newId, type Tx } from '#lib/kernel';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { RunnerId } from '../domain/ids.js';
import { runnerState } from '../domain/runner.js';
import { FakeRunnerRepository } from './fake-runner.repository.js';
import { LeavePool } from './leave-pool.js';

it('a runner that ends is offline at once, and the other runners of its pool stay online', async () => {
  const { uow, home } = fakeWorld();
  const runners = new FakeRunnerRepository(uow);
  const { tenantId } = home;
  const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => uow.run(tenantId, work);
  const added = (name: string) =>
    atHome(async (tx) => {
      const id = newId<RunnerId>();
      const made = { name, pool: 'builders', environments: ['staging'], createdBy: home.admin.personId };
      await runners.insert(tx, { id, ...made, createdAt: uow.now });
      await runners.markEnrolled(tx, id, '1.0.0', uow.now);
      const runner = await runners.find(tx, id);
      if (runner === null) throw new Error('the runner is gone');
      return runner;
    });
  const [leaving, staying] = [await added('build-01'), await added('build-02')];
  uow.now += 1_000;
  await new LeavePool(uow, runners).execute({ tenantId, runner: leaving, keyId: newId() });
  const [left, stayed] = await atHome(async (tx) => [
    await runners.find(tx, leaving.id),
    await runners.find(tx, staying.id),
  ]);
  expect(left).toEqual({ ...leaving, leftAt: uow.now });
  expect(stayed).toEqual(staying);
  expect([left, stayed].map((runner) => runner && runnerState(runner, uow.now))).toEqual(['offline', 'online']);
});
