import { sqlOf } from '#lib/database';
import type { RunId, TenantId, UnitOfWork } from '#lib/kernel';

/** The trace that a run was created in; null if it was not traced. */
export class RunTrace {
  constructor(private readonly uow: UnitOfWork) {}

  parentOf(tenantId: TenantId, runId: RunId): Promise<string | null> {
    return this.uow.run(tenantId, async (tx) => {
      const [row] = await sqlOf(tx).query<{ trace_parent: string | null }>(
        'select trace_parent from run where tenant_id = $1 and id = $2',
        [tenantId, runId],
      );
      return row?.trace_parent ?? null;
    });
  }
}
