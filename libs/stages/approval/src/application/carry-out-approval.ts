import type { ApprovalFacts } from '#lib/policy-inputs';
import { ANY_ROLE } from '#lib/formats';
import type { Tx } from '#lib/kernel';
import type { ApprovalRequest } from '../domain/approval-request.js';
import { reviewerDisabled, reviewerLostRole } from '../domain/closed-reasons.js';
import { consumed, voided } from '../domain/decide-approval.js';
import { heldUntil } from '../domain/held-by-freeze.js';
import type { ApprovalJournal } from './approval-journal.js';
import type {
  ApprovalRepository,
  CallApproved,
  CallApprovedListener,
  RequestApproved,
  RequestApprovedListener,
} from './approval.ports.js';
import type { ReadStanding } from './read-standing.js';

/** Carries out the last approval of a request, in its transaction. It starts the run of a plan, or allows the call. */
export class CarryOutApproval {
  constructor(
    private readonly requests: Pick<ApprovalRepository, 'find' | 'holdBack'>,
    private readonly standing: Pick<ReadStanding, 'reviewers'>,
    private readonly journal: ApprovalJournal,
    private readonly starts: RequestApprovedListener,
    private readonly calls: CallApprovedListener,
  ) {}

  /** Starts a run if the plan was to start on approval. @returns the request as it is after that. */
  async ofPlan(tx: Tx, event: RequestApproved): Promise<ApprovalRequest> {
    const { request, at } = event;
    const { start } = request;
    const startsNow = start.kind === 'on_approval' || (start.kind === 'at' && start.at <= at);
    if (!startsNow) return request;
    const refused = await this.starts.requestApproved(tx, event);
    if (refused === null) return consumed(request, at);
    const until = heldUntil(refused);
    if (until !== null) await this.requests.holdBack(tx, request.id, until);
    return (await this.requests.find(tx, request.id)) ?? request;
  }

  /**
   * Consumes the request, and has the call allowed. Policy has decided about the call again in this transaction. If a person
   * who approved is disabled by now, or has lost the role, the request is voided. No later step asks, so how they stand is read
   * anew: the reviewer may have lost the role while the review waited.
   */
  async ofCall(tx: Tx, event: CallApproved): Promise<ApprovalRequest> {
    const { request, reviews, principal, at } = event;
    const { reviewers, disabled } = await this.standing.reviewers(tx, { request, reviews });
    const lost = reviewers.filter(lostRole).map(({ person_id: id }) => id);
    if (disabled.length > 0 || lost.length > 0) {
      const reason = disabled.length > 0 ? reviewerDisabled(disabled) : reviewerLostRole(lost);
      const next = voided(request, reason, at);
      await this.journal.changed(tx, next, principal);
      return next;
    }
    const next = consumed(request, at);
    await this.journal.changed(tx, next, principal);
    if (next.state === 'consumed') await this.calls.callApproved(tx, event);
    return next;
  }
}

const lostRole = ({ roles, slot_roles: asked }: ApprovalFacts['reviewers'][number]): boolean =>
  !asked.includes(ANY_ROLE) && !asked.some((role) => roles.includes(role));
