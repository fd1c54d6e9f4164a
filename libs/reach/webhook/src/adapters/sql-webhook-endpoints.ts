import { IsNull } from 'typeorm';
import { PLATFORM_ADMIN } from '#lib/formats';
import { lockName, rowsOf, sqlOf, type RowOf } from '#lib/database';
import { personEntity, roleAssignmentEntity } from '#lib/identity';
import type { PersonId, Tx } from '#lib/kernel';
import type { EndpointStore } from '../application/webhook.ports.js';
import type { WebhookEndpointId } from '../domain/ids.js';
import type { OffReason, WebhookEndpoint } from '../domain/webhook-endpoint.js';
import { webhookEndpointEntity, webhookSecretEntity } from './webhook.entity.js';

const COLUMN = webhookEndpointEntity.column;
const WEBHOOK_ENDPOINT = webhookEndpointEntity.as('webhook_endpoint');
const PERSON = personEntity.as('person');
const ENDPOINT = webhookEndpointEntity.as('endpoint');
const HELD = roleAssignmentEntity.as('held');

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
          set ${COLUMN.enabled} = false, ${COLUMN.offReason} = 'person', ${COLUMN.timesOff} = ${WEBHOOK_ENDPOINT.timesOff} + 1,
            ${COLUMN.removedAt} = clock_timestamp()
        where tenant_id = $1 and ${WEBHOOK_ENDPOINT.id} = $2`,
      [tx.tenantId, id],
    );
    await rowsOf(tx, webhookSecretEntity).delete({ endpointId: id });
  }

  async note(tx: Tx, id: WebhookEndpointId, succeeded: boolean): Promise<number | null> {
    const [row] = await sqlOf(tx).query<{ since: Date | null }>(
      `update webhook_endpoint
          set ${COLUMN.failingSince} = case when $3 then null else coalesce(${WEBHOOK_ENDPOINT.failingSince}, clock_timestamp()) end
        where tenant_id = $1 and ${WEBHOOK_ENDPOINT.id} = $2 and (not $3 or ${WEBHOOK_ENDPOINT.failingSince} is not null)
          returning ${WEBHOOK_ENDPOINT.failingSince} as since`,
      [tx.tenantId, id, succeeded],
    );
    return row?.since?.getTime() ?? null;
  }

  async switchOff(tx: Tx, id: WebhookEndpointId, reason: OffReason): Promise<boolean> {
    const changed = await sqlOf(tx).execute(
      `update webhook_endpoint set ${COLUMN.enabled} = false, ${COLUMN.offReason} = $3,
         ${COLUMN.timesOff} = ${WEBHOOK_ENDPOINT.timesOff} + 1
        where tenant_id = $1 and ${WEBHOOK_ENDPOINT.id} = $2 and ${WEBHOOK_ENDPOINT.enabled}`,
      [tx.tenantId, id, reason],
    );
    return changed === 1;
  }

  async told(tx: Tx, id: WebhookEndpointId): Promise<readonly PersonId[]> {
    const rows = await sqlOf(tx).query<{ id: PersonId }>(
      `with owner as (
         select ${PERSON.id} from webhook_endpoint endpoint
           join person on person.tenant_id = endpoint.tenant_id and ${PERSON.id} = ${ENDPOINT.createdBy}
          where endpoint.tenant_id = $1 and ${ENDPOINT.id} = $2 and ${PERSON.disabledAt} is null)
       select id from owner
       union
       select ${PERSON.id} from person
        where person.tenant_id = $1 and ${PERSON.disabledAt} is null and not exists (select from owner)
          and exists (select from role_assignment held
                       where held.tenant_id = $1 and ${HELD.personId} = ${PERSON.id} and ${HELD.role} = $3
                         and ${HELD.revokedAt} is null)
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
