/**
 * Approval requests: the question to people whether exactly this may be executed, and their reviews. Also the authority
 * to start a run that follows from them. The fourth stage of the main job.
 *
 * Invariants: an approval binds digests of everything its approvers saw, and holds for nothing else; a person never
 * reviews who submitted or changed the plan, answers for its agent, or has it act for them; only people review; one
 * request serves one run; a request past its time limit counts for nothing, in every recorded state; every
 * decision is taken on locked rows, after the clock was read.
 *
 * Never decides whether a person may review or approval is needed: policy does, and this library carries out its obligations.
 * Never starts a run itself. The run engine hears of an approval through {@link RequestApprovedListener}. It asks
 * {@link AuthorizeStart} for the {@link ApprovedPlan}, without which it executes nothing.
 */
export {
  absenceEntity,
  approvalClaimEntity,
  approvalLookEntity,
  approvalReminderEntity,
  approvalRequestEntity,
  reviewEntity,
} from './adapters/approval.entity.js';
export type {
  ApprovalStatistic,
  CallAbout,
  CallApproved,
  CallApprovedListener,
  CallDenied,
  CallDeniedListener,
  CallSubjects,
  ClaimRepository,
  HeldRequest,
  RequestApproved,
  RequestApprovedListener,
  AbsenceRepository,
  ApprovalRepository,
  People,
  PlanSubjects,
  QueueKey,
  RecordedReview,
  RequestAsLeft,
  RequestFilter,
  StatisticsBy,
  StatisticsPeriod,
} from './application/approval.ports.js';
export { AuthorizeStart } from './application/authorize-start.js';
export { CallReviewers } from './application/call-reviewers.js';
export type { DeliverOpened } from './application/deliver-opened.js';
export { ChangeAbsences, type AbsenceOverview } from './application/change-absences.js';
export { ClaimRequest } from './application/claim-request.js';
export { CountReviewers, type CountedReviewers } from './application/count-reviewers.js';
export { OpenCallRequest } from './application/open-call-request.js';
export { OpenRequest } from './application/open-request.js';
export { ReadQueue } from './application/read-queue.js';
export { readerOf } from './domain/reader-of.js';
export { ReadReviewers, type PossibleReviewers } from './application/read-reviewers.js';
export { ReadTaskHistory } from './application/read-task-history.js';
export { reviewedRowsSchema, ReviewedRequests, type RequestWithAbsences } from './adapters/reviewed-requests.js';
export { approvedBy, delegationsIn, type Holders, reviewersNow, rolesNow } from './domain/reviewers-now.js';
export { ReadStatistics } from './application/read-statistics.js';
export { SendReminders } from './application/send-reminders.js';
export { SubmitReview } from './application/submit-review.js';
export { VoidRequests } from './application/void-requests.js';
export { WithdrawRequest } from './application/withdraw-request.js';
export { approvalOf, planKey, type ApprovalRequest, type Review, type SubjectKey } from './domain/approval-request.js';
export {
  currentBinding,
  plannedBinding,
  type PlanSubject,
  type BoundSubject,
  type SubjectPlan,
} from './domain/approval-subject.js';
export type { CallSubject, SubjectCall } from './domain/call-subject.js';
export { APPROVAL_TRANSITIONS } from './domain/approval-transitions.js';
export { RevisionFacts } from './domain/revision-facts.js';
export { ApprovedPlan, planOutdated } from './domain/approved-plan.js';
export { boundDigest, compareBindings } from './domain/binding.js';
export type { Claim } from './domain/claim.js';
export { shapeOfAlways } from './domain/fitting-answer.js';
export { frozenUntil } from './domain/held-by-freeze.js';
export { namePeople, withNames } from './domain/name-people.js';
export { approvalFacts, type PersonStanding } from './domain/policy-inputs.js';
export {
  overviewOf,
  ReadRequests,
  type ListedRequest,
  type RequestDetail,
  type RequestOverview,
} from './application/read-requests.js';
export { ReadNotifiedRequest, type NotifiedRequest } from './application/read-notified-request.js';
export type { ChangesAsked, RequestOfTask } from './domain/task-history.js';
export type { ChangesSince } from './domain/changes-between.js';
export { createApprovalStore } from './create-approval-store.js';
export { createApprovals, type Approvals } from './create-approvals.js';
