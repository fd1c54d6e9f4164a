import { sqlOf } from '#lib/database';
import type { TenantId, UnitOfWork } from '#lib/kernel';

const BATCH = 500;

/**
 * Deletes a batch of automations that were proposed before a moment, and withdrawn or rejected before they were ever enabled, with their
 * sources and secrets. The audit log stays.
 *
 * @returns how many were deleted.
 */
export const dropUnusedAutomations = (uow: UnitOfWork, tenantId: TenantId, before: Date): Promise<number> =>
  uow.run(tenantId, async (tx) => {
    const old = await sqlOf(tx).query<{ readonly id: string }>(
      `select old.id from automation old
        where old.tenant_id = $1 and old.state = 'disabled' and old.agent_id is null and old.proposed_at < $2
          and not exists (select from automation_run run where run.tenant_id = $1 and run.automation_id = old.id)
        order by old.proposed_at limit ${String(BATCH)} for update skip locked`,
      [tenantId, before],
    );
    if (old.length === 0) return 0;
    const ids = old.map(({ id }) => id);
    await sqlOf(tx).execute('delete from automation_secret where tenant_id = $1 and automation_id = any ($2::uuid[])', [
      tenantId,
      ids,
    ]);
    return sqlOf(tx).execute('delete from automation where tenant_id = $1 and id = any ($2::uuid[])', [tenantId, ids]);
  });
