import { sqlOf } from '#lib/database';
import { newId, type Tx } from '#lib/kernel';
import type { DestinationCheckStore } from '../application/incident.ports.js';
import type { AddressCheck } from '../domain/destination.js';

interface CheckRow {
  readonly address: string;
  readonly checked_at: Date;
  readonly answered_at: Date | null;
  readonly error: string | null;
  readonly outdated: boolean;
}

/** Test messages to the addresses of destinations in PostgreSQL, table incident_destination_check. */
export class PostgresDestinationChecks implements DestinationCheckStore {
  async all(tx: Tx): Promise<ReadonlyMap<string, AddressCheck>> {
    const rows = await sqlOf(tx).query<CheckRow>(
      `select address, checked_at, answered_at, error, coalesce(checked_at < changed_at, false) as outdated
         from incident_destination_check where tenant_id = $1`,
      [tx.tenantId],
    );
    return new Map(
      rows.map((row) => [
        row.address,
        {
          address: row.address,
          checkedAt: row.checked_at.getTime(),
          answeredAt: row.answered_at?.getTime() ?? null,
          error: row.error,
          outdated: row.outdated,
        },
      ]),
    );
  }

  async save(tx: Tx, { address, checkedAt, answeredAt, error }: Omit<AddressCheck, 'outdated'>): Promise<boolean> {
    const saved = await sqlOf(tx).execute(
      `insert into incident_destination_check as known (tenant_id, id, address, checked_at, answered_at, error)
       values ($1, $2, $3, $4, $5, $6)
       on conflict (tenant_id, address) do update set checked_at = excluded.checked_at,
         answered_at = coalesce(excluded.answered_at, known.answered_at), error = excluded.error
         where known.changed_at is null or known.changed_at <= excluded.checked_at`,
      [tx.tenantId, newId(), address, new Date(checkedAt), answeredAt === null ? null : new Date(answeredAt), error],
    );
    return saved === 1;
  }

  async outdate(tx: Tx, addresses: readonly string[], at: number, why: string): Promise<void> {
    await sqlOf(tx).execute(
      `update incident_destination_check set changed_at = $3, error = $4
        where tenant_id = $1 and address = any ($2::text[])`,
      [tx.tenantId, addresses, new Date(at), why],
    );
  }

  async keepOnly(tx: Tx, addresses: readonly string[]): Promise<void> {
    await sqlOf(tx).execute(
      'delete from incident_destination_check where tenant_id = $1 and address <> all ($2::text[])',
      [tx.tenantId, addresses],
    );
  }

  async addressOf(tx: Tx, id: string): Promise<string | null> {
    const [row] = await sqlOf(tx).query<{ readonly address: string }>(
      'select address from incident_destination_check where tenant_id = $1 and id = $2',
      [tx.tenantId, id],
    );
    return row?.address ?? null;
  }
}
