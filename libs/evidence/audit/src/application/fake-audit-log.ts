import type { AuditEvent, PersonPrincipal } from '#lib/kernel';
import { fakeClockedWorld } from '../../../../foundation/kernel/src/fake-clock.js';
import { samplePerson } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeTwoPersonRule } from '../../../../foundation/kernel/src/fake-two-person-rule.js';
import { createAudit } from '../create-audit.js';
import type { NotedEvidence } from './audit.ports.js';
import { sampleEntry } from './fake-audit-entry.js';
import { FakeSigningKeyStore } from './fake-audit-keys.js';
import { fakeAuditStore } from './fake-audit-store.js';

/** The log over fakes, of a tenant with two admins. */
export function fakeAuditLog(noted: NotedEvidence = () => []) {
  const world = fakeClockedWorld();
  const { uow, home } = world;
  const store = fakeAuditStore(uow);
  const keyStore = new FakeSigningKeyStore();
  const log = createAudit({
    ...{ uow, noted, rows: store, jobs: store.jobs, signingKeys: keyStore },
    reading: (work) => work(),
  });
  const { sink } = log;
  const author: PersonPrincipal = { ...home.admin, reason: 'The auditor asked for it.' };
  return {
    ...world,
    ...store,
    ...log,
    keyStore,
    author,
    confirmer: samplePerson(home.tenantId, ['PlatformAdmin']),
    twoPersonRule: new FakeTwoPersonRule(uow, true),
    /** Records a thing that was done. */
    record: (more: Partial<AuditEvent> = {}) =>
      uow.run(home.tenantId, (tx) => sink.recordEntry(tx, { ...sampleEntry().event, payload: { n: 1 }, ...more })),
    /** The entries of these actions, in order, with their payloads. */
    recorded: (action: string) =>
      uow.run(home.tenantId, async (tx) => {
        const found = store.entries.of(home).filter(({ entry }) => entry.action === action);
        const payloads = await store.entries.payloads(
          tx,
          found.map(({ entry }) => entry.id),
        );
        return found.map(({ entry }) => ({ ...entry, payload: payloads.get(entry.id)?.payload }));
      }),
    latest: (epoch?: number) => uow.run(home.tenantId, (tx) => store.checkpoints.latest(tx, epoch)),
  };
}

export type FakeAuditLog = ReturnType<typeof fakeAuditLog>;
