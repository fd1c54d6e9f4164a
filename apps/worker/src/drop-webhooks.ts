import { sqlOf } from '#lib/database';
import type { TenantId, UnitOfWork } from '#lib/kernel';

const BATCH = 1_000;

/**
 * Gives up a batch of events that waited when their webhook was switched off. One that is under way keeps its answer.
 *
 * @returns how many were given up.
 */
export const giveUpDeliveries = (uow: UnitOfWork, tenantId: TenantId): Promise<number> =>
  uow.run(tenantId, (tx) =>
    sqlOf(tx).execute(
      `update webhook_delivery set state = 'failed', settled_at = clock_timestamp(), leased_until = null
        where tenant_id = $1 and id in
          (select old.id from webhook_delivery old
             join webhook_endpoint endpoint on endpoint.tenant_id = $1 and endpoint.id = old.endpoint_id
            where old.tenant_id = $1 and old.state = 'pending' and old.times_off < endpoint.times_off
              and endpoint.removed_at is null and (old.leased_until is null or old.leased_until <= clock_timestamp())
            limit ${String(BATCH)} for update of old skip locked)`,
      [tenantId],
    ),
  );

/**
 * Deletes a batch of the events of removed webhooks, and each webhook that has none left.
 *
 * @returns how many events were deleted.
 */
export const emptyRemovedWebhooks = (uow: UnitOfWork, tenantId: TenantId): Promise<number> =>
  uow.run(tenantId, async (tx) => {
    const deleted = await sqlOf(tx).execute(
      `delete from webhook_delivery where tenant_id = $1 and id in
         (select old.id from webhook_delivery old
            join webhook_endpoint endpoint on endpoint.tenant_id = $1 and endpoint.id = old.endpoint_id
           where old.tenant_id = $1 and endpoint.removed_at is not null
           limit ${String(BATCH)} for update of old skip locked)`,
      [tenantId],
    );
    await sqlOf(tx).execute(
      `delete from webhook_endpoint endpoint
        where endpoint.tenant_id = $1 and endpoint.removed_at is not null
          and not exists (select from webhook_delivery delivery
                           where delivery.tenant_id = $1 and delivery.endpoint_id = endpoint.id)`,
      [tenantId],
    );
    return deleted;
  });
