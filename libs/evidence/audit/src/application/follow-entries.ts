import type { SubjectRef, TenantId, UnitOfWork } from '#lib/kernel';
import { headerOf } from '../domain/audit-entry.js';
import type { AuditEntryReader, EntryCursor } from './audit.ports.js';
import type { AuditEntryView } from './read-audit.js';

/**
 * Reads what happened within a thing, oldest first. An entry has its time before its transaction commits. So a reader
 * that goes on after an entry looks back, too, by the longest time of a transaction.
 */
export class FollowEntries {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly entries: Pick<AuditEntryReader, 'following' | 'payloads'>,
  ) {}

  /** @param from epoch milliseconds, inclusive; or the entry after which the page begins. */
  execute(
    tenantId: TenantId,
    thing: SubjectRef,
    from: EntryCursor | number,
    limit: number,
  ): Promise<readonly AuditEntryView[]> {
    return this.uow.run(tenantId, async (tx) => {
      const found = await this.entries.following(tx, thing, from, limit);
      const payloads = await this.entries.payloads(
        tx,
        found.map(({ id }) => id),
      );
      return found.map((entry) => ({ header: headerOf(entry), payload: payloads.get(entry.id)?.payload }));
    });
  }
}
