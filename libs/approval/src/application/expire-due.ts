import { unlessNotAuthentic, type SystemPrincipal, type UnitOfWork } from '#lib/kernel';
import { isDue } from '../domain/approval-request.js';
import type { ApprovalJournal } from './approval-journal.js';
import type { ApprovalRepository, DueApprovals, DueRow } from './approval.ports.js';

/** Records what the clock has ended already. Nothing waits for it: every decision looks at the clock itself. */
export class ExpireDue {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly due: DueApprovals,
    private readonly requests: ApprovalRepository,
    private readonly journal: ApprovalJournal,
  ) {}

  /** @returns how many were recorded as expired, of at most `limit` looked at. */
  async execute(limit: number): Promise<number> {
    let expired = 0;
    for (const row of await this.due.expired(limit)) {
      if (await unlessNotAuthentic(this.expire(row))) expired += 1;
    }
    return expired;
  }

  private expire({ tenantId, id }: DueRow): Promise<boolean> {
    const principal: SystemPrincipal = { kind: 'system', tenantId, name: 'approval-expiry' };
    return this.uow.run(tenantId, async (tx) => {
      const request = await this.requests.lock(tx, id);
      const now = await tx.now();
      if (request === null || !isDue(request, now)) return false;
      await this.journal.apply(tx, request, { name: 'expire' }, principal, now);
      return true;
    });
  }
}
