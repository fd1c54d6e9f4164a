import { AsyncLocalStorage } from 'node:async_hooks';
import { err, ok, type Failure, type Result, type TenantId, type UnitOfWork } from '#lib/kernel';
import type { AuditEntryReader, EntryCursor, EntryFilter } from './audit.ports.js';
import type { ReadsFromReplica } from './build-evidence-pack.js';
import type { AuditEntryView, ListAuditEntries } from './read-audit.js';

/** As many entries leave in one export at most. */
const MAX_EXPORTED = 100_000;

/** How many an export reads at a time. */
const AT_ONCE = 500;

/**
 * Hands out every entry that a filter finds, newest first, in pages. Few are held at once, however many there are.
 *
 * Failure: `audit.export_too_large`, before anything is sent.
 */
export class ExportAuditEntries {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly entries: Pick<AuditEntryReader, 'count'>,
    private readonly listing: Pick<ListAuditEntries, 'execute'>,
    /** All pages are one read: a replica that is behind would leave a gap after pages of the primary. */
    private readonly reading: ReadsFromReplica,
    private readonly most: number = MAX_EXPORTED,
  ) {}

  execute(tenantId: TenantId, filter: EntryFilter): Promise<Result<AsyncIterable<readonly AuditEntryView[]>>> {
    return this.reading(async () => {
      const found = await this.uow.run(tenantId, (tx) => this.entries.count(tx, filter, this.most + 1));
      if (found > this.most) return err(tooLarge(this.most));
      return ok(this.#pages(tenantId, filter, AsyncLocalStorage.snapshot()));
    });
  }

  /** @param within continues the read that the export began with, though somebody else asks for the pages. */
  async *#pages(
    tenantId: TenantId,
    filter: EntryFilter,
    within: <T>(work: () => T) => T,
  ): AsyncGenerator<readonly AuditEntryView[]> {
    let after: EntryCursor | null = null;
    do {
      const page: { limit: number; after?: EntryCursor } = { limit: AT_ONCE, ...(after === null ? {} : { after }) };
      const { entries, next } = await within(() => this.listing.execute(tenantId, filter, page));
      if (entries.length > 0) yield entries;
      after = next;
    } while (after !== null);
  }
}

const tooLarge = (most: number): Failure => ({
  kind: 'unprocessable',
  code: 'audit.export_too_large',
  message: `More than ${most.toLocaleString('en')} entries match, and an export holds no more.`,
  action: 'Narrow the period or add a filter, and export in parts.',
  details: { most },
});
