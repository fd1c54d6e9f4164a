import { actorOf, unlessNotAuthentic, type ChangeRequestId, type TenantId, type UnitOfWork } from '#lib/kernel';
import type { ChangeJournal } from './change-journal.js';
import type { ChangeRequestRepository } from './change-request.ports.js';

/** Records that a change has expired. No decision depends on it: each one checks the clock itself. */
export class ExpireChanges {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly changes: ChangeRequestRepository,
    private readonly journal: ChangeJournal,
  ) {}

  /** @returns true if this call recorded the expiry. */
  execute(tenantId: TenantId, id: ChangeRequestId): Promise<boolean> {
    const work = this.uow.run(tenantId, async (tx) => {
      const change = (await this.changes.lock(tx, id))?.change;
      const now = await tx.now();
      if (change?.state !== 'open' || now < change.expiresAt) return false;
      const actor = actorOf({ kind: 'system', tenantId, name: 'change-expiry' });
      await this.journal.close(tx, { ...change, state: 'expired', closedAt: now }, actor);
      return true;
    });
    return unlessNotAuthentic(work, () => false);
  }
}
