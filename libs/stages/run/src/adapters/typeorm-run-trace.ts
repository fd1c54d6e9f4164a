import { rowsOf } from '#lib/database';
import type { RunId, TenantId, UnitOfWork } from '#lib/kernel';
import { runEntity } from './run.entity.js';

/** The trace that a run was created in; null if it was not traced. */
export class TypeormRunTrace {
  constructor(private readonly uow: UnitOfWork) {}

  parentOf(tenantId: TenantId, runId: RunId): Promise<string | null> {
    return this.uow.run(tenantId, async (tx) => {
      const row = await rowsOf(tx, runEntity).findOne({ id: runId });
      return row?.traceParent ?? null;
    });
  }
}
