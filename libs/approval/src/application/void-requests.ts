import type { PlanId, Principal, Tx } from '#lib/kernel';
import { isDue, type ClosedReason } from '../domain/approval-request.js';
import type { ApprovalJournal } from './approval-journal.js';
import type { ApprovalRepository } from './approval.ports.js';

/**
 * Voids what is open or granted for a plan, in the transaction of what makes it void. The caller holds the task and the
 * plan.
 */
export class VoidRequests {
  constructor(
    private readonly requests: ApprovalRepository,
    private readonly journal: ApprovalJournal,
  ) {}

  async ofPlan(tx: Tx, planId: PlanId, reason: ClosedReason, principal: Principal): Promise<void> {
    const live = await this.requests.lockLive(tx, planId);
    if (live === null) return;
    const now = await tx.now();
    const event = isDue(live, now) ? ({ name: 'expire' } as const) : ({ name: 'void', reason } as const);
    await this.journal.apply(tx, live, event, principal, now);
  }
}
