import {
  unlessNotAuthentic,
  type ApprovalRequestId,
  type SystemPrincipal,
  type TenantId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import type { ApprovalRequest } from '../domain/approval-request.js';
import { expired } from '../domain/decide-approval.js';
import type { ApprovalJournal } from './approval-journal.js';
import type { ApprovalRepository, CallSubjects } from './approval.ports.js';

/** Records the requests that the clock has ended already. Nothing waits for it: every decision looks at the clock itself. */
export class ExpireDue {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly requests: Pick<ApprovalRepository, 'find' | 'lock'>,
    private readonly calls: Pick<CallSubjects, 'holdRequest'>,
    private readonly journal: ApprovalJournal,
  ) {}

  /** @returns whether the request was recorded as expired now. */
  execute(tenantId: TenantId, id: ApprovalRequestId): Promise<boolean> {
    const principal: SystemPrincipal = { kind: 'system', tenantId, name: 'approval-expiry' };
    const work = this.uow.run(tenantId, async (tx) => {
      const request = await this.#lock(tx, id);
      const now = await tx.now();
      const late = request === null ? null : expired(request, now);
      if (late === null) return false;
      await this.journal.changed(tx, late, principal);
      return true;
    });
    return unlessNotAuthentic(work, () => false);
  }

  /** A call is denied with its request, so it is locked before. */
  async #lock(tx: Tx, id: ApprovalRequestId): Promise<ApprovalRequest | null> {
    const found = await this.requests.find(tx, id);
    if (found?.subject.type !== 'tool_call') return this.requests.lock(tx, id);
    return (await this.calls.holdRequest(tx, id))?.request ?? null;
  }
}
