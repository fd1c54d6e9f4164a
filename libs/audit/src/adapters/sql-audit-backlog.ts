import type { SystemQuery } from '#lib/database';
import type { AuditEntryId, TenantId } from '#lib/kernel';
import type { AuditBacklog } from '../application/audit.ports.js';

/** What waits, across tenants, by the functions of migration 0040. */
export class SqlAuditBacklog implements AuditBacklog {
  constructor(private readonly system: SystemQuery) {}

  async unsequenced(): Promise<readonly { readonly tenantId: TenantId; readonly oldest: AuditEntryId }[]> {
    const rows = await this.system.call('audit_unsequenced_tenants');
    return rows.map(({ tenantId, id }) => ({ tenantId, oldest: id as AuditEntryId }));
  }

  async unpublished(): Promise<readonly TenantId[]> {
    return (await this.system.call('audit_unpublished_tenants')).map(({ tenantId }) => tenantId);
  }
}
