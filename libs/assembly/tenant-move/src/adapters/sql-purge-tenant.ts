import { escapeIdentifier, type Client } from 'pg';
import { errorCode, FailureError, type TenantId } from '#lib/kernel';
import * as refusals from '../application/move-refusals.js';
import { asReplica } from './sql-as-replica.js';

/** So many rows are removed in one transaction. */
const PURGE_ROWS = 5_000;

/** As {@link SourceCell.purge}. */
export async function purgeTenant(client: Pick<Client, 'query'>, tenantId: TenantId): Promise<number> {
  // Each table that keeps rows itself: months that are detached, and tables that a crash empties, too.
  const { rows: tables } = await client.query<{ name: string; of: string }>(
    `select c.relname as name, tenant.attname as of
       from pg_class c
       join pg_attribute tenant on tenant.attrelid = c.oid and not tenant.attisdropped
        and tenant.attname = case when c.relname = 'tenant' then 'id' else 'tenant_id' end
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'tenant_move'
      order by c.relname`,
  );
  let all = 0;
  for (const { name, of } of tables)
    all += await purgeTable(client, escapeIdentifier(name), escapeIdentifier(of), tenantId);
  return all;
}

async function purgeTable(
  client: Pick<Client, 'query'>,
  table: string,
  column: string,
  tenantId: TenantId,
): Promise<number> {
  let all = 0;
  let removed: number;
  do {
    removed = await asReplica(client, async () => {
      const { rowCount } = await client.query(
        `delete from ${table} where ctid = any (array(select ctid from ${table} where ${column} = $1 limit ${String(PURGE_ROWS)}))`,
        [tenantId],
      );
      return rowCount ?? 0;
    }).catch((error: unknown) => {
      const failure = refusals.missingRights(['SET ON PARAMETER session_replication_role, and those of a source']);
      throw errorCode(error) === '42501' ? new FailureError(failure, { cause: error }) : error;
    });
    all += removed;
  } while (removed > 0);
  return all;
}
