import { FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { FakeIssuerGateway } from './fake-issuer-gateway.js';
import { describeIssuerGateway } from './issuer-gateway.contract.js';

describeIssuerGateway('FakeIssuerGateway', (offersSignOut) => {
  const uow = new FakeUnitOfWork();
  const gateway = new FakeIssuerGateway(uow);
  gateway.offersSignOut = offersSignOut;
  return Promise.resolve({
    gateway,
    url: 'https://issuer.example.com',
    now: uow.now,
    signIn: (location, claims) => Promise.resolve(gateway.signIn(location, claims)),
    accessToken: (subject, audience) => Promise.resolve(gateway.accessToken(subject, audience)),
    stop: () => {
      gateway.reachable = false;
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  });
});
