import { sqlOf } from '#lib/database';
import type { TenantId, UnitOfWork } from '#lib/kernel';

const BATCH = 500;

/**
 * Deletes a batch of runs of automations that ended before a moment, with their steps. The newest run of an automation stays, and so
 * do their calls and the audit log.
 *
 * @returns how many were deleted.
 */
export const dropAutomationRuns = (uow: UnitOfWork, tenantId: TenantId, before: Date): Promise<number> =>
  uow.run(tenantId, async (tx) => {
    const old = await sqlOf(tx).query<{ readonly id: string }>(
      `select old.id from automation_run old
        where old.tenant_id = $1 and old.finished_at < $2
          and exists (select from automation_run newer
                       where newer.tenant_id = $1 and newer.automation_id = old.automation_id
                         and (newer.created_at, newer.id) > (old.created_at, old.id))
        order by old.finished_at limit ${String(BATCH)} for update skip locked`,
      [tenantId, before],
    );
    if (old.length === 0) return 0;
    const ids = old.map(({ id }) => id);
    await sqlOf(tx).execute('delete from automation_step_run where tenant_id = $1 and run_id = any ($2::uuid[])', [
      tenantId,
      ids,
    ]);
    return sqlOf(tx).execute('delete from automation_run where tenant_id = $1 and id = any ($2::uuid[])', [
      tenantId,
      ids,
    ]);
  });
