import { actorOf, type AuditSink, type TenantId, type Tx, type UnitOfWork } from '#lib/kernel';

/**
 * Entries about the move of a tenant. The installation that it leaves writes its last one before the logs are compared, so that both have
 * it. The other one writes its first in the transaction that begins its epoch.
 */
export class RecordMove {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditSink,
  ) {}

  /** The tenant is frozen and about to leave; or it stays, since its move was undone or let it go. */
  execute(tenantId: TenantId, action: 'tenant.leaving' | 'tenant.stayed', moveId: string): Promise<void> {
    return this.uow.run(tenantId, (tx) => this.#record(tx, action, { move_id: moveId }));
  }

  /** The tenant has come, and this epoch of its log begins here. */
  arrived(tx: Tx, epoch: number): Promise<void> {
    return this.#record(tx, 'tenant.arrived', { epoch });
  }

  #record(tx: Tx, action: string, payload: Readonly<Record<string, string | number>>): Promise<void> {
    const { tenantId } = tx;
    return this.audit.record(tx, {
      action,
      actor: actorOf({ kind: 'system', tenantId, name: 'operator' }),
      level: 'critical',
      subject: { type: 'tenant', id: tenantId },
      payload,
    });
  }
}
