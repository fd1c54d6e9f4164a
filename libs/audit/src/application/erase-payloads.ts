import { err, ok, type Actor, type AuditSink, type Result, type TenantId, type UnitOfWork } from '#lib/kernel';
import type { PayloadRetention } from './audit.ports.js';

const BATCH = 1_000;
const MINIMUM_DAYS = 30;
const MAXIMUM_DAYS = 36_500;
const system: Actor = {
  kind: 'system',
  id: 'audit-retention',
  display_name: 'audit-retention',
  credential_id: null,
  on_behalf_of: null,
};

/** Sets how long payloads are kept; null keeps them for ever. */
export class SetPayloadRetention {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly retention: PayloadRetention,
    private readonly audit: AuditSink,
  ) {}

  /** Fails with `audit.retention_out_of_range`. */
  async execute(tenantId: TenantId, actor: Actor, keepDays: number | null): Promise<Result<null>> {
    if (keepDays !== null && !(Number.isInteger(keepDays) && keepDays >= MINIMUM_DAYS && keepDays <= MAXIMUM_DAYS)) {
      return err({
        kind: 'unprocessable',
        code: 'audit.retention_out_of_range',
        message: `Payloads are kept for ${String(MINIMUM_DAYS)} to ${String(MAXIMUM_DAYS)} days, or for ever.`,
        action: 'Send a whole number of days in that range, or null.',
      });
    }
    return this.unitOfWork.run(tenantId, async (tx) => {
      const before = await this.retention.keepDays(tx);
      await this.retention.setKeepDays(tx, keepDays, await tx.now());
      await this.audit.record(tx, {
        action: 'audit_retention.set',
        actor,
        level: 'full',
        subject: { type: 'audit_retention', id: tenantId },
        payload: { keep_days: keepDays, before },
      });
      return ok(null);
    });
  }
}

/** Erases the payloads that the tenant's retention rule no longer keeps. Headers stay, and with them every proof. */
export class ErasePayloads {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly retention: PayloadRetention,
    private readonly audit: AuditSink,
  ) {}

  /** How many were erased; call again while it is not 0. */
  async execute(tenantId: TenantId): Promise<number> {
    return this.unitOfWork.run(tenantId, async (tx) => {
      const erased = await this.retention.erase(tx, BATCH);
      if (erased.length > 0) {
        await this.audit.record(tx, {
          action: 'audit_payload.erased',
          actor: system,
          level: 'full',
          subject: { type: 'audit_retention', id: tenantId },
          payload: { count: erased.length, entries: [...erased] },
        });
      }
      return erased.length;
    });
  }
}
