import type { Tx } from '#lib/kernel';
import type { PlanSuperseded, PlanSupersededListener } from '#lib/plan';
import { isDue, type ClosedReason } from '../domain/approval-request.js';
import { planSuperseded, planWithdrawn, taskCancelled } from '../domain/closed-reasons.js';
import type { ApprovalJournal } from './approval-journal.js';
import type { ApprovalRepository } from './approval.ports.js';

/** Voids what is open or granted for a plan, in the transaction in which the plan stops being live (T01). */
export class VoidRequests implements PlanSupersededListener {
  constructor(
    private readonly requests: ApprovalRepository,
    private readonly journal: ApprovalJournal,
  ) {}

  async planSuperseded(tx: Tx, { planId, cause, supersededBy, principal, at }: PlanSuperseded): Promise<void> {
    const live = await this.requests.lockLive(tx, planId);
    if (live === null) return;
    if (isDue(live, at)) {
      await this.journal.apply(tx, live, { name: 'expire' }, principal, at);
      return;
    }
    const reason =
      supersededBy === null ? REASONS[cause] : { ...REASONS[cause], details: { superseded_by: supersededBy } };
    await this.journal.apply(tx, live, { name: 'void', reason }, principal, at);
  }
}

const REASONS: Readonly<Record<PlanSuperseded['cause'], ClosedReason>> = {
  superseded: planSuperseded,
  withdrawn: planWithdrawn,
  task_cancelled: taskCancelled,
};
