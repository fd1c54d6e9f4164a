import type { IncidentId, Principal, ToolCallId, Tx } from '#lib/kernel';
import type { PlanSuperseded, PlanSupersededListener } from '#lib/plan';
import { callKey, planKey, type ClosedReason, type LiveRequest } from '../domain/approval-request.js';
import {
  brokenGlass,
  callWithdrawn,
  type CallWithdrawal,
  databaseRestored,
  planSuperseded,
  planWithdrawn,
  taskCancelled,
} from '../domain/closed-reasons.js';
import { voided } from '../domain/decide-approval.js';
import type { ApprovalJournal } from './approval-journal.js';
import type { ApprovalRepository } from './approval.ports.js';

const BATCH = 100;

/** The actor who ends a request, and the time by the database's clock. */
interface EndedBy {
  readonly principal: Principal;
  readonly at: number;
}

/**
 * Voids requests in the transaction of the event that ends them:
 *
 * - the open or approved request of a plan that is no longer live (T01);
 * - the request of a call that is no longer wanted;
 * - every approved request of a tenant that starts anew from a backup (T30).
 */
export class VoidRequests implements PlanSupersededListener {
  constructor(
    private readonly requests: Pick<ApprovalRepository, 'list' | 'lock' | 'lockLive'>,
    private readonly journal: ApprovalJournal,
  ) {}

  async planSuperseded(tx: Tx, { planId, cause, supersededBy, principal, at }: PlanSuperseded): Promise<void> {
    const live = await this.requests.lockLive(tx, planKey(planId));
    const reason =
      supersededBy === null ? REASONS[cause] : { ...REASONS[cause], details: { superseded_by: supersededBy } };
    if (live !== null) await this.#end(tx, live, reason, { principal, at });
  }

  /**
   * Voids the request of a call that its agent withdrew, or that ended. Its session, its agent or a halt ended it. The
   * caller has locked the call. Its denial comes by {@link CallDeniedListener}. Does nothing if no request of the call
   * is open.
   */
  async callWithdrawn(tx: Tx, callId: ToolCallId, by: EndedBy & { readonly why: CallWithdrawal }): Promise<void> {
    const live = await this.requests.lockLive(tx, callKey(callId));
    if (live !== null) await this.#end(tx, live, callWithdrawn[by.why], by);
  }

  /**
   * An open request, or an approved one that was not used, ends if the plan is executed by break-glass.
   *
   * @param live the plan's live request, locked.
   */
  async glassBroken(tx: Tx, live: LiveRequest, by: EndedBy & { readonly incidentId: IncidentId }): Promise<void> {
    await this.#end(tx, live, brokenGlass(by.incidentId), by);
  }

  /** @returns how many approvals ended so. */
  async databaseRestored(tx: Tx, epoch: number, principal: Principal): Promise<number> {
    const reason = databaseRestored(epoch);
    for (let voided = 0; ;) {
      // One that is voided has left the list: the first page is the next.
      const approved = await this.requests.list(tx, { state: 'approved' }, { limit: BATCH, after: null });
      if (approved.length === 0) return voided;
      for (const { id } of approved) {
        const request = await this.requests.lock(tx, id);
        if (request?.state !== 'approved') continue;
        await this.#end(tx, request, reason, { principal, at: await tx.now() });
        voided += 1;
      }
    }
  }

  /** Ends a live request that is locked. */
  async #end(tx: Tx, live: LiveRequest, reason: ClosedReason, { principal, at }: EndedBy): Promise<void> {
    await this.journal.changed(tx, voided(live, reason, at), principal);
  }
}

const REASONS: Readonly<Record<PlanSuperseded['cause'], ClosedReason>> = {
  superseded: planSuperseded,
  withdrawn: planWithdrawn,
  task_cancelled: taskCancelled,
};
