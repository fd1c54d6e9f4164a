import { dropOldRows, sqlOf, type OldRows } from '#lib/database';
import type { Tx } from '#lib/kernel';

const AGE_MS = 30 * 24 * 3_600_000;
const BATCH = 1_000;

/** Events that were delivered to a webhook, or given up: the delivery log goes back so far. */
export const oldDeliveries: OldRows = {
  name: 'webhook-deliveries',
  tenants: 'webhook_settled_tenants',
  ageMs: AGE_MS,
  drop: dropOldRows('webhook_delivery', 'settled_at', "old.state <> 'pending' and old.settled_at < $2"),
};

/**
 * Gives up a batch of events that waited when their webhook was switched off. One that is under way keeps its answer.
 *
 * @returns how many were given up.
 */
export const giveUpDeliveries = (tx: Tx): Promise<number> =>
  sqlOf(tx).execute(
    `update webhook_delivery set state = 'failed', settled_at = clock_timestamp(), leased_until = null
      where tenant_id = $1 and id in
        (select old.id from webhook_delivery old
           join webhook_endpoint endpoint on endpoint.tenant_id = $1 and endpoint.id = old.endpoint_id
          where old.tenant_id = $1 and old.state = 'pending' and old.times_off < endpoint.times_off
            and endpoint.removed_at is null and (old.leased_until is null or old.leased_until <= clock_timestamp())
          limit ${String(BATCH)} for update of old skip locked)`,
    [tx.tenantId],
  );

/**
 * Deletes a batch of the events of removed webhooks, and each webhook that has none left.
 *
 * @returns how many events were deleted.
 */
export async function emptyRemovedWebhooks(tx: Tx): Promise<number> {
  const deleted = await sqlOf(tx).execute(
    `delete from webhook_delivery where tenant_id = $1 and id in
       (select old.id from webhook_delivery old
          join webhook_endpoint endpoint on endpoint.tenant_id = $1 and endpoint.id = old.endpoint_id
         where old.tenant_id = $1 and endpoint.removed_at is not null
         limit ${String(BATCH)} for update of old skip locked)`,
    [tx.tenantId],
  );
  await sqlOf(tx).execute(
    `delete from webhook_endpoint endpoint
      where endpoint.tenant_id = $1 and endpoint.removed_at is not null
        and not exists (select from webhook_delivery delivery
                         where delivery.tenant_id = $1 and delivery.endpoint_id = endpoint.id)`,
    [tx.tenantId],
  );
  return deleted;
}
