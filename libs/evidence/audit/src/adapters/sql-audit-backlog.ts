import type { SystemQuery } from '#lib/database';
import type { AuditEntryId, TenantId } from '#lib/kernel';
import type { AuditBacklog, UnsequencedEntries } from '../application/audit.ports.js';

/** Entries of one tenant that a look names; the sequencer gives as many their leaf in one transaction. */
const MAX_NAMED = 1_000;

/** The entries and checkpoints that wait in all tenants, by the functions of migrations/0200_audit.sql. */
export class SqlAuditBacklog implements AuditBacklog {
  /** Whether something waited since the cursor was moved. */
  #open = true;
  /** The snapshot before the last look. */
  #before: string | null = null;

  constructor(private readonly system: SystemQuery) {}

  async unsequenced(): Promise<readonly UnsequencedEntries[]> {
    const rows = await this.system.work('audit_unsequenced_entries', MAX_NAMED, null);
    this.#open ||= rows.length > 0;
    const waiting = new Map<TenantId, AuditEntryId[]>();
    for (const { tenantId, id } of rows) {
      const entries = waiting.get(tenantId);
      // The function lists the ids of entries.
      const entryId = id as AuditEntryId;
      if (entries === undefined) waiting.set(tenantId, [entryId]);
      else entries.push(entryId);
    }
    return [...waiting].map(([tenantId, entries]) => ({ tenantId, entries }));
  }

  async settle(): Promise<void> {
    if (!this.#open) return;
    const before = this.#before;
    const [now] = await this.system.read<{ audit_settle: string }>('audit_settle', before);
    this.#before = now?.audit_settle ?? null;
    this.#open = before === null;
  }

  async unpublished(signedBefore?: number): Promise<readonly TenantId[]> {
    const before = signedBefore === undefined ? null : new Date(signedBefore);
    return (await this.system.work('audit_unpublished_tenants', before)).map(({ tenantId }) => tenantId);
  }

  async unexported(exporter: string): Promise<readonly TenantId[]> {
    return (await this.system.work('log_export_due', exporter)).map(({ tenantId }) => tenantId);
  }
}
