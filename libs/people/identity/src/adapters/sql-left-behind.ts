import { sqlOf } from '#lib/database';
import type { PersonId, Tx } from '#lib/kernel';
import type { LeftBehind } from '../application/identity.ports.js';

/** Delegations and push subscriptions in PostgreSQL, tables absence and push_subscription; both are only ever ended here. */
export class SqlLeftBehind implements LeftBehind {
  endDelegations(
    tx: Tx,
    personId: PersonId,
    { at, by }: { readonly at: number; readonly by: PersonId },
  ): Promise<number> {
    return sqlOf(tx).execute(
      `update absence set ended_at = to_timestamp($3::bigint / 1000.0), ended_by = $4
        where tenant_id = $1 and person_id = $2 and ended_at is null and until_at > clock_timestamp()`,
      [tx.tenantId, personId, at, by],
    );
  }

  endBrowsers(tx: Tx, personId: PersonId): Promise<number> {
    return sqlOf(tx).execute(
      `update push_subscription set ended_at = clock_timestamp()
        where tenant_id = $1 and person_id = $2 and ended_at is null`,
      [tx.tenantId, personId],
    );
  }
}
