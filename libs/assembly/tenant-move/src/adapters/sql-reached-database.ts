import { auditEpochEntity } from '#lib/audit';
import { sqlOf } from '#lib/database';
import { newId, type TenantId, type UnitOfWork } from '#lib/kernel';
import { IDENTITY } from './sql-cell.js';

const AUDIT_EPOCH = auditEpochEntity.as('audit_epoch');

/** The cluster and the database that the service reached. No row of a tenant is read: any tenant will do. */
export async function identityOf(uow: UnitOfWork): Promise<string> {
  const [row] = await uow.run(newId(), (tx) => sqlOf(tx).query<{ identity: string }>(IDENTITY));
  return row?.identity ?? '';
}

/** The move that the database knows this database session by; null if there is none. */
export async function moveOf(uow: UnitOfWork): Promise<string | null> {
  const [row] = await uow.run(newId(), (tx) =>
    sqlOf(tx).query<{ move: string | null }>("select current_setting('app.tenant_move', true) as move"),
  );
  return row?.move ?? null;
}

/** The newest epoch of the tenant's audit log; 0 if it has none. */
export async function newestEpoch(uow: UnitOfWork, tenantId: TenantId): Promise<number> {
  const [row] = await uow.run(tenantId, (tx) =>
    sqlOf(tx).query<{ epoch: number | null }>(
      `select max(${AUDIT_EPOCH.epoch}) as epoch from audit_epoch where tenant_id = $1`,
      [tenantId],
    ),
  );
  return row?.epoch ?? 0;
}
