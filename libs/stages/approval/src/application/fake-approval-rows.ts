import type { FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { FakeAbsenceRepository } from './fake-absence-repository.js';
import { FakeApprovalRepository } from './fake-approval-repository.js';
import { FakeClaimRepository } from './fake-claim-repository.js';
import { FakeFloodRepository } from './fake-flood-repository.js';
import { FakePeople } from './fake-people.js';
import { FakeReminderRepository } from './fake-reminder-repository.js';

const inPostgres = () => Promise.reject(new Error('only PostgreSQL counts this'));

/** The stored facts of approval in memory, without the statistics. */
export function fakeApprovalRows(uow: FakeUnitOfWork) {
  const requests = new FakeApprovalRepository(uow);
  const absences = new FakeAbsenceRepository(uow);
  return {
    requests,
    claims: new FakeClaimRepository(uow),
    reminders: new FakeReminderRepository(uow),
    floods: new FakeFloodRepository(uow, requests),
    absences,
    people: new FakePeople(uow, absences),
    census: { agent: inPostgres, everybody: inPostgres },
    statistics: { read: inPostgres },
  };
}
