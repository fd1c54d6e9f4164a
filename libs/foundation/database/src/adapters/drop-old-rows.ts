import type { OldRows } from '../application/old-rows.js';
import { sqlOf } from './sql.js';

const BATCH = 1_000;

/**
 * Deletes a batch of the rows of `table`, which has the key `(tenant_id, id)`: the oldest ones by `column` that no other worker deletes.
 *
 * @param condition on the row `old`: `$1` is the tenant, and `$2` the moment.
 */
export const dropOldRows =
  (table: string, column: string, condition: string): OldRows['drop'] =>
  (tx, before) =>
    sqlOf(tx).execute(
      `delete from ${table} where tenant_id = $1 and id in
        (select old.id from ${table} old where old.tenant_id = $1 and ${condition}
          order by old.${column} limit ${String(BATCH)} for update skip locked)`,
      [tx.tenantId, before],
    );
