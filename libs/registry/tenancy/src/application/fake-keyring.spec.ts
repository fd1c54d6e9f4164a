import { FakeKeyring } from './fake-keyring.js';
import { describeKeyring } from './keyring.contract.js';

describeKeyring('FakeKeyring', () => {
  const keyring = new FakeKeyring();
  return Promise.resolve({
    keyring,
    addKey: () => Promise.resolve(keyring.addKey()),
    removeKey: (id) => {
      keyring.removeKey(id);
    },
    close: () => undefined,
  });
});
