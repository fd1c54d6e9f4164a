import { newId, type ChangeRequestId } from '#lib/kernel';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeWaitingSlackSecrets } from './fake-waiting-slack-secrets.js';
import { describeWaitingSlackSecrets } from './waiting-slack-secrets.contract.js';

describeWaitingSlackSecrets('FakeWaitingSlackSecrets', () => {
  const world = fakeWorld();
  const waiting = new FakeWaitingSlackSecrets(world.uow);
  return Promise.resolve({
    world,
    waiting,
    change: () => Promise.resolve(newId<ChangeRequestId>()),
    end: (change) => {
      waiting.forget(world.home, change);
      return Promise.resolve();
    },
  });
});
