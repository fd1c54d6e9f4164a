import { dropOldRows, sqlOf, type OldRows } from '#lib/database';
import type { Tx } from '#lib/kernel';
import { webhookDeliveryEntity, webhookEndpointEntity } from './webhook.entity.js';

const OLD = webhookDeliveryEntity.as('old');
const COLUMN = webhookDeliveryEntity.column;
const WEBHOOK_DELIVERY = webhookDeliveryEntity.as('webhook_delivery');
const ENDPOINT = webhookEndpointEntity.as('endpoint');
const DELIVERY = webhookDeliveryEntity.as('delivery');

const AGE_MS = 30 * 24 * 3_600_000;
const BATCH = 1_000;

/** Events that were delivered to a webhook, or given up: the delivery log goes back so far. */
export const oldDeliveries: OldRows = {
  name: 'webhook-deliveries',
  tenants: 'webhook_settled_tenants',
  ageMs: AGE_MS,
  drop: dropOldRows('webhook_delivery', COLUMN.settledAt, `${OLD.state} <> 'pending' and ${OLD.settledAt} < $2`),
};

/**
 * Gives up a batch of events that waited when their webhook was switched off. One that is under way keeps its answer.
 *
 * @returns how many were given up.
 */
export const giveUpDeliveries = (tx: Tx): Promise<number> =>
  sqlOf(tx).execute(
    `update webhook_delivery set ${COLUMN.state} = 'failed', ${COLUMN.settledAt} = clock_timestamp(), ${COLUMN.leasedUntil} = null
      where tenant_id = $1 and ${WEBHOOK_DELIVERY.id} in
        (select ${OLD.id} from webhook_delivery old
           join webhook_endpoint endpoint on endpoint.tenant_id = $1 and ${ENDPOINT.id} = ${OLD.endpointId}
          where old.tenant_id = $1 and ${OLD.state} = 'pending' and ${OLD.timesOff} < ${ENDPOINT.timesOff}
            and ${ENDPOINT.removedAt} is null and (${OLD.leasedUntil} is null or ${OLD.leasedUntil} <= clock_timestamp())
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
    `delete from webhook_delivery where tenant_id = $1 and ${WEBHOOK_DELIVERY.id} in
       (select ${OLD.id} from webhook_delivery old
          join webhook_endpoint endpoint on endpoint.tenant_id = $1 and ${ENDPOINT.id} = ${OLD.endpointId}
         where old.tenant_id = $1 and ${ENDPOINT.removedAt} is not null
         limit ${String(BATCH)} for update of old skip locked)`,
    [tx.tenantId],
  );
  await sqlOf(tx).execute(
    `delete from webhook_endpoint endpoint
      where endpoint.tenant_id = $1 and ${ENDPOINT.removedAt} is not null
        and not exists (select from webhook_delivery delivery
                         where delivery.tenant_id = $1 and ${DELIVERY.endpointId} = ${ENDPOINT.id})`,
    [tx.tenantId],
  );
  return deleted;
}
