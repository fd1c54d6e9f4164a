import { actorOf, unlessNotAuthentic, type UnitOfWork } from '#lib/kernel';
import type { ChangeJournal } from './change-journal.js';
import type { ChangeRequestRepository, DueChanges } from './guardrail.ports.js';

/** Records what the clock has ended already. Nothing waits for it: every decision looks at the clock itself. */
export class ExpireChanges {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly due: DueChanges,
    private readonly changes: ChangeRequestRepository,
    private readonly journal: ChangeJournal,
  ) {}

  /** @returns how many were recorded as expired, of at most `limit` looked at. */
  async execute(limit: number): Promise<number> {
    let expired = 0;
    for (const { tenantId, id } of await this.due.expired(limit)) {
      const recording = this.uow.run(tenantId, async (tx) => {
        const change = await this.changes.lock(tx, id);
        const now = await tx.now();
        if (change?.state !== 'open' || now < change.expiresAt) return false;
        const actor = actorOf({ kind: 'system', tenantId, name: 'change-expiry' });
        await this.journal.close(tx, { ...change, state: 'expired', closedAt: now }, actor);
        return true;
      });
      if (await unlessNotAuthentic(recording)) expired += 1;
    }
    return expired;
  }
}
