import { IsNull } from 'typeorm';
import { PLATFORM_ADMIN } from '#lib/formats';
import { lockName, rowsOf, sqlOf, type RowOf } from '#lib/database';
import type { PersonId, Tx } from '#lib/kernel';
import type { EndpointStore } from '../application/webhook.ports.js';
import type { WebhookEndpointId } from '../domain/ids.js';
import type { OffReason, WebhookEndpoint } from '../domain/webhook-endpoint.js';
import { webhookEndpointEntity, webhookSecretEntity } from './webhook.entity.js';

/** Endpoints in PostgreSQL. */
export class SqlWebhookEndpoints implements EndpointStore {
  async all(tx: Tx): Promise<readonly WebhookEndpoint[]> {
    const rows = await rowsOf(tx, webhookEndpointEntity).find({ removedAt: IsNull() }, { order: { id: 'asc' } });
    return rows.map(toEndpoint);
  }

  async find(tx: Tx, id: WebhookEndpointId): Promise<WebhookEndpoint | null> {
    const row = await rowsOf(tx, webhookEndpointEntity).findOne({ id, removedAt: IsNull() });
    return row && toEndpoint(row);
  }

  async lockForChange(tx: Tx): Promise<void> {
    await lockName(tx, `countersign.webhook/${tx.tenantId}`);
  }

  async save(tx: Tx, endpoint: WebhookEndpoint): Promise<void> {
    const { id, createdBy: _by, createdAt: _at, ...changes } = endpoint;
    const rows = rowsOf(tx, webhookEndpointEntity);
    if ((await rows.update({ id }, changes)) === 0) await rows.insert({ ...endpoint, timesOff: 0, removedAt: null });
  }

  async remove(tx: Tx, id: WebhookEndpointId): Promise<void> {
    await sqlOf(tx).execute(
      `update webhook_endpoint
          set enabled = false, off_reason = 'person', times_off = times_off + 1, removed_at = clock_timestamp()
        where tenant_id = $1 and id = $2`,
      [tx.tenantId, id],
    );
    await rowsOf(tx, webhookSecretEntity).delete({ endpointId: id });
  }

  async note(tx: Tx, id: WebhookEndpointId, succeeded: boolean): Promise<number | null> {
    const [row] = await sqlOf(tx).query<{ since: Date | null }>(
      `update webhook_endpoint
          set failing_since = case when $3 then null else coalesce(failing_since, clock_timestamp()) end
        where tenant_id = $1 and id = $2 and (not $3 or failing_since is not null) returning failing_since as since`,
      [tx.tenantId, id, succeeded],
    );
    return row?.since?.getTime() ?? null;
  }

  async switchOff(tx: Tx, id: WebhookEndpointId, reason: OffReason): Promise<boolean> {
    const changed = await sqlOf(tx).execute(
      `update webhook_endpoint set enabled = false, off_reason = $3, times_off = times_off + 1
        where tenant_id = $1 and id = $2 and enabled`,
      [tx.tenantId, id, reason],
    );
    return changed === 1;
  }

  async told(tx: Tx, id: WebhookEndpointId): Promise<readonly PersonId[]> {
    const rows = await sqlOf(tx).query<{ id: PersonId }>(
      `with owner as (
         select person.id from webhook_endpoint endpoint
           join person on person.tenant_id = endpoint.tenant_id and person.id = endpoint.created_by
          where endpoint.tenant_id = $1 and endpoint.id = $2 and person.disabled_at is null)
       select id from owner
       union
       select person.id from person
        where person.tenant_id = $1 and person.disabled_at is null and not exists (select from owner)
          and exists (select from role_assignment held
                       where held.tenant_id = $1 and held.person_id = person.id and held.role = $3
                         and held.revoked_at is null)
       order by id`,
      [tx.tenantId, id, PLATFORM_ADMIN],
    );
    return rows.map((row) => row.id);
  }
}

function toEndpoint(row: RowOf<typeof webhookEndpointEntity>): WebhookEndpoint {
  const { timesOff: _times, removedAt: _removed, ...endpoint } = row;
  return endpoint;
}
