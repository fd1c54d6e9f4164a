import { type ApprovalRepository, type PlanSubjects, plannedBinding, type ReadStanding } from '#lib/approval';
import type { Tx } from '#lib/kernel';
import type { Run } from '../domain/run.js';
import type { RunContext } from './run.ports.js';

/**
 * Locks everything that stands before a run in the house's order (autonomy and bundle heads FOR SHARE, task, plan,
 * request), so that the run itself can be locked after it, and reads what decisions about the run need.
 */
export class LockRunContext {
  constructor(
    private readonly subjects: PlanSubjects,
    private readonly requests: ApprovalRepository,
    private readonly standing: ReadStanding,
  ) {}

  async execute(tx: Tx, run: Run): Promise<RunContext> {
    const subject = await this.subjects.lockBound(tx, run);
    if (subject === null) throw new Error(`the plan of run ${run.id} is gone`);
    // Who may pass a freeze is asked only where there are any.
    const starterRoles =
      subject.autonomy.document?.freezes === undefined ? [] : await this.standing.rolesOf(tx, run.startedBy);
    if (run.approvalRequestId === null) {
      return {
        subject,
        starterRoles,
        approval: null,
        disabledReviewers: [],
        reviewers: new Map(),
        binding: plannedBinding(subject),
      };
    }
    const [request, reviews] = await Promise.all([
      this.requests.lock(tx, run.approvalRequestId),
      this.requests.reviews(tx, run.approvalRequestId),
    ]);
    if (request === null) throw new Error(`the approval request of run ${run.id} is gone`);
    const { reviewers, disabled, people } = await this.standing.reviewers(tx, { request, reviews });
    return {
      subject,
      starterRoles,
      approval: this.standing.facts(request, reviewers),
      disabledReviewers: disabled,
      reviewers: people,
      binding: request.binding,
    };
  }
}
