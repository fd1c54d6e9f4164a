import type { SystemQuery } from '#lib/database';
import type { AuditEntryId, TenantId } from '#lib/kernel';
import type { AuditBacklog } from '../application/audit.ports.js';

/** The entries and checkpoints that wait in all tenants, by the functions of migrations/0200_audit.sql. */
export class SqlAuditBacklog implements AuditBacklog {
  /** Whether something waited since the cursor was moved. */
  #open = true;
  /** The snapshot before the last look. */
  #before: string | null = null;

  constructor(private readonly system: SystemQuery) {}

  async unsequenced(): Promise<readonly { readonly tenantId: TenantId; readonly oldest: AuditEntryId }[]> {
    const rows = await this.system.call('audit_unsequenced_tenants', null);
    this.#open ||= rows.length > 0;
    return rows.map(({ tenantId, id }) => ({ tenantId, oldest: id as AuditEntryId }));
  }

  async settle(): Promise<void> {
    if (!this.#open) return;
    const before = this.#before;
    const [now] = await this.system.read<{ pg_current_snapshot: string }>('pg_current_snapshot');
    this.#before = now?.pg_current_snapshot ?? null;
    this.#open = before === null;
    if (before !== null) await this.system.read('audit_settle', before);
  }

  async unpublished(): Promise<readonly TenantId[]> {
    return (await this.system.call('audit_unpublished_tenants')).map(({ tenantId }) => tenantId);
  }
}
