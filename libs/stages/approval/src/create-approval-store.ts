import type { Directory } from '#lib/identity';
import type { RowSeals } from '#lib/kernel';
import { IdentityPeople } from './adapters/identity-people.js';
import { SqlFlood } from './adapters/sql-flood.js';
import { SqlReminders } from './adapters/sql-reminders.js';
import { TypeormAbsences } from './adapters/typeorm-absences.js';
import { TypeormApprovalRepository } from './adapters/typeorm-approval.repository.js';
import { TypeormClaims } from './adapters/typeorm-claims.js';
import type {
  AbsenceRepository,
  ApprovalRepository,
  ClaimRepository,
  FloodRepository,
  People,
  ReminderRepository,
} from './application/approval.ports.js';

/** The stored facts of approval: requests with their reviews, claims, reminders, and the people who may review. */
export interface ApprovalRows {
  readonly requests: ApprovalRepository;
  readonly claims: ClaimRepository;
  readonly reminders: ReminderRepository;
  readonly floods: FloodRepository;
  readonly absences: AbsenceRepository;
  readonly people: People;
}

/** The ports of this library that keep rows, over PostgreSQL. */
export function createApprovalStore(
  seals: RowSeals,
  { people, seats }: Pick<Directory, 'people' | 'seats'>,
): ApprovalRows {
  const absences = new TypeormAbsences(seals);
  return {
    requests: new TypeormApprovalRepository(seals),
    claims: new TypeormClaims(),
    reminders: new SqlReminders(),
    floods: new SqlFlood(),
    absences,
    people: new IdentityPeople(people, seats, absences),
  };
}
