import { dropOldRows, type OldRows } from '#lib/database';
import { hookExecutionEntity } from './lifecycle-hook.entity.js';

const AGE_MS = 30 * 24 * 3_600_000;

/** Executions of hooks that have ended: the log of executions goes back so far. */
export const oldHookExecutions: OldRows = {
  name: 'hook-executions',
  tenants: 'lifecycle_hook_settled_tenants',
  ageMs: AGE_MS,
  drop: dropOldRows(
    'lifecycle_hook_execution',
    hookExecutionEntity.column.settledAt,
    `${hookExecutionEntity.as('old').settledAt} < $2`,
  ),
};
