import { FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { FakeGrantKeyStore } from './fake-grant-key.store.js';
import { describeGrantKeyStore } from './grant-key.store.contract.js';

describeGrantKeyStore('FakeGrantKeyStore', () =>
  Promise.resolve({ store: new FakeGrantKeyStore(new FakeUnitOfWork()), close: () => Promise.resolve() }),
);
