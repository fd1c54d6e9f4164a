import { FakeAuditSink, FakeOutbox } from '../../../../foundation/kernel/src/fake-ports.js';
import type { SampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeTwoPersonRule } from '../../../../foundation/kernel/src/fake-two-person-rule.js';
import { unasked } from '../../../../foundation/kernel/src/fake-unasked.js';
import type { FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { createIncidents, type IncidentDeps } from '../create-incidents.js';
import { FakeDestinationChecks } from './fake-destination-checks.js';
import { FakeIncidentRepository } from './fake-incident.repository.js';
import { FakeIncidentSettings } from './fake-incident-settings.js';
import { FakePageQueue } from './fake-page-queue.js';

/** The use cases of incidents over fakes, and over the other libraries that a test gives. */
export function fakeIncidents(uow: FakeUnitOfWork, { production }: SampleTenant, given: Partial<IncidentDeps> = {}) {
  const incidents = new FakeIncidentRepository(uow, () => production);
  const [settings, checks, pages] = [
    new FakeIncidentSettings(uow),
    new FakeDestinationChecks(uow),
    new FakePageQueue(uow),
  ];
  const [audit, outbox] = [new FakeAuditSink(uow), new FakeOutbox(uow)];
  const parts = createIncidents({
    ...{ uow, audit, outbox, twoPersonRule: new FakeTwoPersonRule(uow) },
    rows: { incidents, settings, checks, pages, notified: { read: () => Promise.resolve([]) } },
    ...{ policy: unasked(), proofs: unasked(), seats: unasked(), vault: unasked(), pager: unasked() },
    ...{ autonomy: unasked(), runs: unasked(), reaches: unasked() },
    plan: { plans: unasked(), readDescription: unasked() },
    approval: { planSubjects: unasked(), people: unasked(), voidRequests: unasked() },
    mayConnect: () => Promise.resolve('public'),
    publicUrl: 'https://countersign.example',
    ...given,
  });
  return { parts, incidents, settings, checks, pages, audit, outbox };
}
