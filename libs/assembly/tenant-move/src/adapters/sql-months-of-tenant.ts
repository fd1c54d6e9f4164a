import { escapeIdentifier, type Client } from 'pg';
import { auditEntryEntity, auditLeafEntity } from '#lib/audit';
import type { TenantId } from '#lib/kernel';
import { decisionEntity } from '#lib/policy';
import type { TableMonth } from '../application/move.ports.js';

const AUDIT_ENTRY = auditEntryEntity.as('audit_entry');
const AUDIT_LEAF = auditLeafEntity.as('audit_leaf');
const DECISION = decisionEntity.as('decision');

/** Tables that look like the month of a table, and are no part of it. */
export const DETACHED_MONTHS = `pg_class part join pg_class whole on whole.relkind = 'p' and whole.relnamespace = part.relnamespace
    and part.relname ~ ('^' || whole.relname || '_[0-9]{4}_[0-9]{2}$')
  and part.relnamespace = 'public'::regnamespace and part.relkind = 'r' and not part.relispartition`;
/** As {@link TableMonth}. */
const MONTH_NAME = "whole.relname || ' ' || replace(right(part.relname, 7), '_', '-')";

/** The tables of detached months, and the names of these months. */
export async function detachedMonths(
  client: Pick<Client, 'query'>,
): Promise<readonly { readonly table: string; readonly month: TableMonth }[]> {
  const { rows } = await client.query<{ table: string; month: TableMonth }>(
    `select part.relname as table, ${MONTH_NAME} as month from ${DETACHED_MONTHS} order by month`,
  );
  return rows;
}

/** As {@link SourceCell.months}. */
export async function monthsOfTenant(
  client: Pick<Client, 'query'>,
  tenantId: TenantId,
): Promise<{ readonly all: readonly TableMonth[]; readonly away: readonly TableMonth[] }> {
  // Every entry that is signed has a leaf, which stays when its month is detached or moved away.
  const { rows: kept } = await client.query<{ name: TableMonth; here: boolean }>(
    `with month as (
       select to_char(starts, 'YYYY-MM') as name, countersign_first_id(starts at time zone 'UTC') as low,
              countersign_first_id((starts + interval '1 month') at time zone 'UTC') as high
         from generate_series(timestamp '2020-01-01', localtimestamp + interval '1 month', interval '1 month') starts)
     select 'audit_entry ' || name as name, exists (
              select from audit_entry where tenant_id = $1 and ${AUDIT_ENTRY.id} >= low and ${AUDIT_ENTRY.id} < high) as here
       from month where exists (select from audit_leaf where tenant_id = $1 and ${AUDIT_LEAF.entryId} >= low
         and ${AUDIT_LEAF.entryId} < high)
     union all
     select 'decision ' || name, true from month
      where exists (select from decision where tenant_id = $1 and ${DECISION.id} >= low and ${DECISION.id} < high)`,
    [tenantId],
  );
  const away = new Set(kept.flatMap(({ name, here }) => (here ? [] : [name])));
  for (const { table, month } of await detachedMonths(client)) {
    const { rowCount } = await client.query(`select from ${escapeIdentifier(table)} where tenant_id = $1 limit 1`, [
      tenantId,
    ]);
    if (rowCount !== 0) away.add(month);
  }
  return { all: kept.map(({ name }) => name), away: [...away].sort() };
}
