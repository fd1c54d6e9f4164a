import type { Directory } from '#lib/identity';
import type { RowSeals } from '#lib/kernel';
import type { SqlPlanContents } from '#lib/plan';
import type { PolicyDecisionPoint } from '#lib/policy';
import { SqlPeople } from './adapters/sql-people.js';
import { SqlFlood } from './adapters/sql-flood.js';
import { SqlReminders } from './adapters/sql-reminders.js';
import { SqlReviewerCensus } from './adapters/sql-reviewer-census.js';
import { SqlStatistics } from './adapters/sql-statistics.js';
import { SqlSubjectFacts } from './adapters/sql-subject-facts.js';
import { StagePlanSubjects } from './adapters/stage-plan-subjects.js';
import { SqlAbsences } from './adapters/sql-absences.js';
import { SqlApprovalRepository } from './adapters/sql-approval.repository.js';
import { TypeormClaims } from './adapters/typeorm-claims.js';
import type {
  AbsenceRepository,
  ApprovalRepository,
  ClaimRepository,
  FloodRepository,
  People,
  PlanSubjects,
  ReminderRepository,
  ReviewerCensus,
  StatisticsRepository,
} from './application/approval.ports.js';

/** The stored facts of approval: requests with their reviews, claims, reminders, statistics, and the people who may review. */
export interface ApprovalRows {
  readonly requests: ApprovalRepository;
  readonly claims: ClaimRepository;
  readonly reminders: ReminderRepository;
  readonly floods: FloodRepository;
  readonly absences: AbsenceRepository;
  readonly people: People;
  readonly census: ReviewerCensus;
  readonly statistics: StatisticsRepository;
}

/** The ports of this library that keep rows, over PostgreSQL. */
export function createApprovalStore(
  seals: RowSeals,
  { people, seats }: Pick<Directory, 'people' | 'seats'>,
): ApprovalRows & { readonly subjectsOf: (policy: PolicyDecisionPoint, contents: SqlPlanContents) => PlanSubjects } {
  const absences = new SqlAbsences(seals);
  return {
    requests: new SqlApprovalRepository(seals),
    claims: new TypeormClaims(),
    reminders: new SqlReminders(),
    floods: new SqlFlood(),
    absences,
    people: new SqlPeople(people, seats, absences),
    census: new SqlReviewerCensus(),
    statistics: new SqlStatistics(),
    /** The subjects of plans. @param contents their parsed revisions. */
    subjectsOf: (policy, contents) => new StagePlanSubjects({ policy, facts: new SqlSubjectFacts(seals, contents) }),
  };
}
