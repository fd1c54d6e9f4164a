import type { ApprovalDemand, AutonomyReader } from '#lib/autonomy';
import type { CredentialRepository, MfaProofs } from '#lib/identity';
import type { AuditSink, Outbox, UnitOfWork } from '#lib/kernel';
import type { PolicyDecisionPoint } from '#lib/policy';
import type { Tasks } from '#lib/task';
import { ApprovalEvidence } from './application/approval-evidence.js';
import { ApprovalJournal } from './application/approval-journal.js';
import type {
  ApprovalSubjects,
  CallApprovedListener,
  CallDeniedListener,
  CallSubjects,
  PlanSubjects,
  RequestApprovedListener,
  ToolDefinitions,
} from './application/approval.ports.js';
import { AskAgain } from './application/ask-again.js';
import { AskReview } from './application/ask-review.js';
import { AuthorizeStart } from './application/authorize-start.js';
import { CallReviewers } from './application/call-reviewers.js';
import { CarryOutApproval } from './application/carry-out-approval.js';
import type { DeliverOpened } from './application/deliver-opened.js';
import { ChangeAbsences } from './application/change-absences.js';
import { ClaimRequest } from './application/claim-request.js';
import { CountReviewers } from './application/count-reviewers.js';
import { ExpireDue } from './application/expire-due.js';
import { LimitRequests } from './application/limit-requests.js';
import { OpenCallRequest } from './application/open-call-request.js';
import { OpenRequest } from './application/open-request.js';
import { ReadQueue } from './application/read-queue.js';
import { ReadRequests } from './application/read-requests.js';
import { ReadNotifiedRequest } from './application/read-notified-request.js';
import { ReadReviewers } from './application/read-reviewers.js';
import { ReadStanding } from './application/read-standing.js';
import { ReadStatistics } from './application/read-statistics.js';
import { ReadTaskHistory } from './application/read-task-history.js';
import { SendReminders } from './application/send-reminders.js';
import { StartScheduled } from './application/start-scheduled.js';
import { SubjectsByKind } from './application/subjects-by-kind.js';
import { SubmitReview } from './application/submit-review.js';
import { VoidRequests } from './application/void-requests.js';
import { WithdrawRequest } from './application/withdraw-request.js';
import type { ApprovalRows } from './create-approval-store.js';

export interface ApprovalDeps {
  readonly uow: UnitOfWork;
  readonly rows: ApprovalRows;
  readonly plans: PlanSubjects;
  readonly audit: AuditSink;
  readonly outbox: Outbox;
  readonly deliver: DeliverOpened;
  readonly policy: PolicyDecisionPoint;
  readonly autonomy: {
    readonly revisions: AutonomyReader;
    readonly approvalDemand: Pick<ApprovalDemand, 'inProduction'>;
  };
  readonly task: Pick<Tasks, 'access'>;
  readonly credentials: Pick<CredentialRepository, 'find' | 'stillGood'>;
  readonly proofs: MfaProofs;
  readonly definitions: ToolDefinitions;
  /** Told of every request about a plan that was approved: it starts the plan. */
  readonly approved: RequestApprovedListener;
  /** Single calls: reads their facts, and hears of their approval or denial. */
  readonly calls: CallSubjects & CallApprovedListener & CallDeniedListener;
}

/** Approval requests. */
export type Approvals = ReturnType<typeof createApprovals>;

export function createApprovals(deps: ApprovalDeps) {
  const { uow, audit, outbox, policy, credentials, approved, plans, calls } = deps;
  const { access } = deps.task;
  const { revisions: autonomy, approvalDemand } = deps.autonomy;
  const { requests, claims, reminders, floods, absences, people, census, statistics } = deps.rows;
  const subjects: ApprovalSubjects = new SubjectsByKind({ plan: plans, tool_call: calls });
  const journal = new ApprovalJournal(requests, audit, outbox, calls, deps.deliver);
  const standing = new ReadStanding(people);
  const asking = new AskReview(people, autonomy, policy);
  const limit = new LimitRequests(floods, journal);
  const askAgain = new AskAgain(policy, journal);
  const carryOut = new CarryOutApproval(requests, standing, journal, approved, calls);
  const readTaskHistory = new ReadTaskHistory(uow, requests, people);
  const readRequests = new ReadRequests({
    uow,
    requests,
    subjects,
    calls,
    people,
    asking,
    claims,
    reminders,
    history: readTaskHistory,
  });
  return {
    requests,
    claims,
    planSubjects: plans,
    people,
    standing,
    authorizeStart: new AuthorizeStart(plans, standing, journal, policy),
    voidRequests: new VoidRequests(requests, journal),
    approvalEvidence: new ApprovalEvidence(requests),
    openRequest: new OpenRequest({
      uow,
      subjects: plans,
      requests,
      people,
      journal,
      policy,
      access,
      reminders,
      limit,
      definitions: deps.definitions,
    }),
    openCallRequest: new OpenCallRequest(people, journal, limit, deps.definitions),
    callReviewers: new CallReviewers(people, asking, credentials),
    submitReview: new SubmitReview({ uow, subjects, people, journal, policy, askAgain, carryOut, proofs: deps.proofs }),
    withdrawRequest: new WithdrawRequest(uow, subjects, journal, access, people),
    countReviewers: new CountReviewers(uow, people, census, asking, approvalDemand),
    readRequests,
    readTaskHistory,
    readNotifiedRequest: new ReadNotifiedRequest(uow, subjects, people, readTaskHistory),
    readReviewers: new ReadReviewers(uow, requests, people, asking),
    readQueue: new ReadQueue(uow, requests, readRequests, asking),
    claimRequest: new ClaimRequest(uow, requests, claims, people, asking, audit),
    changeAbsences: new ChangeAbsences(uow, absences, people, credentials, audit),
    readStatistics: new ReadStatistics(uow, statistics),
    sendReminders: new SendReminders(uow, requests, reminders, outbox, audit),
    expireDue: new ExpireDue(uow, requests, calls, journal),
    startScheduled: new StartScheduled(uow, plans, requests, people, approved),
  };
}
