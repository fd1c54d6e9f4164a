import type { Actor, AuditSink, TenantId, UnitOfWork } from '#lib/kernel';
import type { PayloadRetention } from './audit.ports.js';

const BATCH = 1_000;
const system: Actor = {
  kind: 'system',
  id: 'audit-retention',
  display_name: 'audit-retention',
  credential_id: null,
  on_behalf_of: null,
};

/** Erases the payloads that the tenant's retention rule no longer keeps. Headers stay, and with them every proof. */
export class ErasePayloads {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly retention: PayloadRetention,
    private readonly audit: AuditSink,
  ) {}

  /** How many were erased; call again while it is not 0. */
  async execute(tenantId: TenantId): Promise<number> {
    return this.uow.run(tenantId, async (tx) => {
      const erased = await this.retention.erase(tx, BATCH);
      if (erased.length > 0) {
        await this.audit.record(tx, {
          action: 'audit_payload.erased',
          actor: system,
          level: 'full_with_evidence',
          subject: { type: 'audit_retention', id: tenantId },
          payload: { count: erased.length, entries: [...erased] },
        });
      }
      return erased.length;
    });
  }
}
