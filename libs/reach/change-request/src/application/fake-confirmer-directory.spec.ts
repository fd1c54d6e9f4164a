import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { describeConfirmerDirectory } from './confirmer-directory.contract.js';
import { FakeConfirmerDirectory } from './fake-confirmer-directory.js';

describeConfirmerDirectory('FakeConfirmerDirectory', () => {
  const world = fakeWorld();
  const directory = new FakeConfirmerDirectory(world.uow);
  return Promise.resolve({
    world,
    directory,
    keep: (tx, person) => {
      directory.keep(tx, person);
      return Promise.resolve();
    },
  });
});
