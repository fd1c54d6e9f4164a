import { Any, Not } from 'typeorm';
import { rowsOf, sqlOf } from '#lib/database';
import { newId, type Tx } from '#lib/kernel';
import type { DestinationCheckStore } from '../application/incident.ports.js';
import type { AddressCheck } from '../domain/destination.js';
import { destinationCheckEntity } from './incident.entity.js';

const COLUMN = destinationCheckEntity.column;
const CHECK = destinationCheckEntity.as('incident_destination_check');
const NEW_CHECK = destinationCheckEntity.pick('id', 'address', 'checkedAt', 'answeredAt', 'error');

/** Test messages to the addresses of destinations, in PostgreSQL. */
export class SqlDestinationChecks implements DestinationCheckStore {
  async all(tx: Tx): Promise<ReadonlyMap<string, AddressCheck>> {
    const rows = await rowsOf(tx, destinationCheckEntity).find();
    return new Map(
      rows.map(({ address, checkedAt, answeredAt, error, changedAt }) => {
        const outdated = changedAt !== null && checkedAt < changedAt;
        return [address, { address, checkedAt, answeredAt, error, outdated }];
      }),
    );
  }

  async save(tx: Tx, { address, checkedAt, answeredAt, error }: Omit<AddressCheck, 'outdated'>): Promise<boolean> {
    const saved = await sqlOf(tx).execute(
      `insert into ${NEW_CHECK.into} values ($1, $2, $3, $4, $5, $6)
       on conflict (tenant_id, ${COLUMN.address}) do update set ${COLUMN.checkedAt} = excluded.${COLUMN.checkedAt},
         ${COLUMN.answeredAt} = coalesce(excluded.${COLUMN.answeredAt}, ${CHECK.answeredAt}), ${COLUMN.error} = excluded.${COLUMN.error}
         where ${CHECK.changedAt} is null or ${CHECK.changedAt} <= excluded.${COLUMN.checkedAt}`,
      [tx.tenantId, newId(), address, new Date(checkedAt), answeredAt === null ? null : new Date(answeredAt), error],
    );
    return saved === 1;
  }

  async outdate(tx: Tx, addresses: readonly string[], at: number, why: string): Promise<void> {
    await rowsOf(tx, destinationCheckEntity).update({ address: Any(addresses) }, { changedAt: at, error: why });
  }

  async keepOnly(tx: Tx, addresses: readonly string[]): Promise<void> {
    await rowsOf(tx, destinationCheckEntity).delete({ address: Not(Any(addresses)) });
  }

  async addressOf(tx: Tx, id: string): Promise<string | null> {
    const check = await rowsOf(tx, destinationCheckEntity).findOne({ id });
    return check?.address ?? null;
  }
}
