import { sampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { ExecutorRecord } from '#lib/tool';
import { sampleExecutor } from '../../../../registry/tool/src/application/fake-tool.js';
import type { CallSubject } from '../domain/call-subject.js';
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
    blocked: () => Promise.resolve(),
    waiting: (environment) => {
      const subject = sampleCall(tenant, { revisionId: null, facts: null }, store.uow.now, {
        environment: environment ?? 'staging',
      });
      calls.rows.of(store).set(subject.call.id, subject);
      return Promise.resolve(subject);
    },
    bound: () => {
      const found = sampleCall(tenant, { revisionId: null, facts: null }, store.uow.now);
      const keep = (subject: CallSubject, executor: ExecutorRecord): CallSubject => {
        const kept = { ...subject, registry: { ...subject.registry, executors: new Map([[executor.name, executor]]) } };
        calls.rows.of(store).set(kept.call.id, kept);
        return kept;
      };
      const executor = sampleExecutor(tenant.staging);
      const call = { ...found.call, executor: { name: executor.name, digest: executor.digest } };
      const waiting = keep({ ...found, call }, executor);
      const moved = sampleExecutor(tenant.staging, {
        id: executor.id,
        version: 2,
        url: 'https://elsewhere.example.com/',
      });
      return Promise.resolve({
        waiting,
        move: () => {
          keep(waiting, moved);
          return Promise.resolve();
        },
      });
    },
  };
});
