import { sampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { describeCallSubjects } from './call-subjects.contract.js';
import { sampleCall } from './fake-call.js';
import { FakeCallSubjects } from './fake-call-subjects.js';
import { fakeStores } from './fake-approval-store.js';

const openStore = fakeStores();

describeCallSubjects('fake', async () => {
  const store = await openStore();
  const calls = new FakeCallSubjects(store.uow, store.requests, store.claims);
  const tenant = { ...sampleTenant(), tenantId: store.tenantId };
  return {
    ...store,
    calls,
    waiting: (environment) => {
      const subject = sampleCall(tenant, { revisionId: null, facts: null }, store.uow.now, {
        environment: environment ?? 'staging',
      });
      calls.rows.of(store).set(subject.call.id, subject);
      return Promise.resolve(subject);
    },
  };
});
