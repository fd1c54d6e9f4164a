import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeSecretNames } from './fake-secret-names.js';
import { describeSecretNames } from './secret-names.contract.js';

describeSecretNames('FakeSecretNames', () => {
  const world = fakeWorld();
  const names = new FakeSecretNames(world.uow);
  return Promise.resolve({
    world,
    names,
    keep: (name, version, binding) => {
      for (let number = 1; number <= version; number += 1) names.keep(world.home, `${name}@${String(number)}`, binding);
      return Promise.resolve();
    },
  });
});
