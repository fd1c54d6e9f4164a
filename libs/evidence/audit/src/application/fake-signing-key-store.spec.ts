import { FakeSigningKeyStore } from './fake-audit-keys.js';
import { describeSigningKeyStore } from './signing-key-store.contract.js';

describeSigningKeyStore('FakeSigningKeyStore', () =>
  Promise.resolve({ store: new FakeSigningKeyStore(), close: () => Promise.resolve() }),
);
