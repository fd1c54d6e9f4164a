import { In } from 'typeorm';
import { enqueueReturned, rowsOf, sqlOf, type RowOf } from '#lib/database';
import type { PageRequest, Tx } from '#lib/kernel';
import type {
  DeliveryFilter,
  DeliveryStore,
  LoggedDelivery,
  NewDelivery,
  WebhookDelivery,
} from '../application/webhook.ports.js';
import type { DeliveryTry } from '../domain/delivery-outcome.js';
import type { WebhookDeliveryId, WebhookEndpointId } from '../domain/ids.js';
import { webhookDeliveryEntity, webhookEndpointEntity } from './webhook.entity.js';

const DELIVERY = webhookDeliveryEntity.as('delivery');
const COLUMN = webhookDeliveryEntity.column;
const DUE = webhookDeliveryEntity.as('due');
const ENDPOINT = webhookEndpointEntity.as('endpoint');
const OTHER = webhookDeliveryEntity.as('other');

const DELIVERY_ROW = webhookDeliveryEntity.all;
const COLUMNS = DELIVERY_ROW.columns('delivery');
const LOGGED = webhookDeliveryEntity.without('body');
/** Attempts of one endpoint at the same time: a slow receiver leaves room for the others. */
const UNDER_WAY = 4;
/** While an endpoint fails, each attempt is a probe. */
const UNDER_WAY_FAILING = 1;
/** The log keeps the latest attempts of a delivery. */
const KEPT_TRIES = 30;

/** Beside `infinity`, a cursor before the newest delivery needs any id. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Deliveries in PostgreSQL. */
export class SqlWebhookDeliveries implements DeliveryStore {
  async write(tx: Tx, deliveries: readonly NewDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    const now = await tx.now();
    const fresh = { state: 'pending', attempts: 0, tries: [], leasedUntil: null, settledAt: null } as const;
    const on = await rowsOf(tx, webhookEndpointEntity).find({
      id: In([...new Set(deliveries.map(({ endpointId }) => endpointId))]),
      enabled: true,
    });
    const timesOff = new Map(on.map((endpoint) => [endpoint.id, endpoint.timesOff]));
    await rowsOf(tx, webhookDeliveryEntity).insert(
      deliveries.flatMap((each) => {
        const times = timesOff.get(each.endpointId);
        return times === undefined ? [] : [{ ...each, ...fresh, timesOff: times, nextAttemptAt: now, createdAt: now }];
      }),
    );
  }

  async claim(tx: Tx, id: WebhookDeliveryId, leaseMs: number): Promise<WebhookDelivery | null> {
    // One claim of an endpoint at a time. The next statement sees the leases of those before it, and counts them all.
    await sqlOf(tx).query(
      `select pg_advisory_xact_lock(hashtextextended('countersign.webhook_claim/' || ${DELIVERY.endpointId}::text, 0))
         from webhook_delivery delivery where delivery.tenant_id = $1 and ${DELIVERY.id} = $2`,
      [tx.tenantId, id],
    );
    const [row] = await sqlOf(tx).query<object>(
      `update webhook_delivery delivery
          set ${COLUMN.attempts} = ${DELIVERY.attempts} + 1, ${COLUMN.leasedUntil} = clock_timestamp() + $3 * interval '1 millisecond',
              ${COLUMN.nextAttemptAt} = clock_timestamp() + $3 * interval '1 millisecond'
        where delivery.tenant_id = $1 and ${DELIVERY.id} = (
          select ${DUE.id} from webhook_delivery due
            join webhook_endpoint endpoint on endpoint.tenant_id = due.tenant_id and ${ENDPOINT.id} = ${DUE.endpointId}
           where due.tenant_id = $1 and ${DUE.id} = $2 and ${DUE.state} = 'pending' and ${DUE.nextAttemptAt} <= clock_timestamp()
             and ${ENDPOINT.enabled} and ${DUE.timesOff} = ${ENDPOINT.timesOff}
             and (select count(*) from webhook_delivery other
                   where other.tenant_id = $1 and ${OTHER.endpointId} = ${DUE.endpointId} and ${OTHER.state} = 'pending'
                     and ${OTHER.leasedUntil} > clock_timestamp())
                 < case when ${ENDPOINT.failingSince} is null then ${String(UNDER_WAY)} else ${String(UNDER_WAY_FAILING)} end
             for update of due skip locked)
        returning ${COLUMNS}`,
      [tx.tenantId, id, leaseMs],
    );
    return row === undefined ? null : toDelivery(DELIVERY_ROW.row(row));
  }

  wakeNext(tx: Tx, endpointId: WebhookEndpointId): Promise<void> {
    enqueueReturned(
      tx,
      'webhook.deliver',
      `select ${DELIVERY.id} from webhook_delivery delivery
         join webhook_endpoint endpoint on endpoint.tenant_id = delivery.tenant_id and ${ENDPOINT.id} = ${DELIVERY.endpointId}
        where delivery.tenant_id = $1 and ${DELIVERY.endpointId} = $2 and ${DELIVERY.state} = 'pending'
          and ${DELIVERY.timesOff} = ${ENDPOINT.timesOff} and ${DELIVERY.nextAttemptAt} <= clock_timestamp()
        order by ${DELIVERY.nextAttemptAt} limit 1 for update of delivery skip locked`,
      [tx.tenantId, endpointId],
    );
    return Promise.resolve();
  }

  delivered(tx: Tx, delivery: WebhookDelivery, tried: DeliveryTry): Promise<void> {
    return this.#settle(tx, delivery, tried, 'delivered', null);
  }

  later(tx: Tx, delivery: WebhookDelivery, tried: DeliveryTry, delayMs: number): Promise<void> {
    return this.#settle(tx, delivery, tried, 'pending', delayMs);
  }

  failed(tx: Tx, delivery: WebhookDelivery, tried: DeliveryTry): Promise<void> {
    return this.#settle(tx, delivery, tried, 'failed', null);
  }

  async find(tx: Tx, endpointId: WebhookEndpointId, id: WebhookDeliveryId): Promise<WebhookDelivery | null> {
    const row = await rowsOf(tx, webhookDeliveryEntity).findOne({ id, endpointId });
    return row && toDelivery(row);
  }

  async list(
    tx: Tx,
    endpointId: WebhookEndpointId,
    { state, event }: DeliveryFilter,
    { after, limit }: PageRequest,
  ): Promise<readonly LoggedDelivery[]> {
    // A delivery is created at a whole millisecond, so a cursor names its time exactly.
    const rows = await sqlOf(tx).query<object>(
      `select ${LOGGED.columns('delivery')} from webhook_delivery delivery
        where delivery.tenant_id = $1 and ${DELIVERY.endpointId} = $2
          and ($3::text is null or ${DELIVERY.state} = $3) and ($4::text is null or ${DELIVERY.event} = $4)
          and (${DELIVERY.createdAt}, ${DELIVERY.id})
              < (coalesce(to_timestamp($5::bigint / 1000.0), 'infinity'), $6::uuid)
        order by ${DELIVERY.createdAt} desc, ${DELIVERY.id} desc limit $7`,
      [tx.tenantId, endpointId, state ?? null, event ?? null, after?.at ?? null, after?.id ?? LAST_ID, limit],
    );
    return rows.map((row) => toLogged(LOGGED.row(row)));
  }

  async resend(tx: Tx, id: WebhookDeliveryId): Promise<boolean> {
    const changed = await sqlOf(tx).execute(
      `update webhook_delivery delivery
          set ${COLUMN.state} = 'pending', ${COLUMN.nextAttemptAt} = clock_timestamp(), ${COLUMN.settledAt} = null,
            ${COLUMN.leasedUntil} = null,
              ${COLUMN.attempts} = case when ${DELIVERY.state} = 'pending' and ${DELIVERY.timesOff} = ${ENDPOINT.timesOff}
                              then greatest(${DELIVERY.attempts} - 1, 0) else 0 end,
              ${COLUMN.timesOff} = ${ENDPOINT.timesOff}
         from webhook_endpoint endpoint
        where delivery.tenant_id = $1 and ${DELIVERY.id} = $2
          and endpoint.tenant_id = $1 and ${ENDPOINT.id} = ${DELIVERY.endpointId}
          and (${DELIVERY.state} <> 'pending' or ${DELIVERY.timesOff} < ${ENDPOINT.timesOff}
            or (${DELIVERY.leasedUntil} is null and ${DELIVERY.nextAttemptAt} > clock_timestamp()))`,
      [tx.tenantId, id],
    );
    return changed === 1;
  }

  /** The wait varies by a tenth, so that receivers that were away are not called all at once. */
  async #settle(
    tx: Tx,
    { id, attempts }: WebhookDelivery,
    tried: DeliveryTry,
    state: WebhookDelivery['state'],
    delayMs: number | null,
  ): Promise<void> {
    await sqlOf(tx).execute(
      `update webhook_delivery delivery
          set ${COLUMN.state} = $4, ${COLUMN.leasedUntil} = null,
              ${COLUMN.tries} = case when jsonb_array_length(${DELIVERY.tries}) < ${String(KEPT_TRIES)} then ${DELIVERY.tries} else ${DELIVERY.tries} - 0 end || $5::jsonb,
              ${COLUMN.settledAt} = case when $4 = 'pending' then null else clock_timestamp() end,
              ${COLUMN.nextAttemptAt} = clock_timestamp()
                + coalesce($6, 0) * (1 + random() / 10) * interval '1 millisecond'
        where delivery.tenant_id = $1 and ${DELIVERY.id} = $2 and ${DELIVERY.state} = 'pending' and ${DELIVERY.attempts} = $3`,
      [tx.tenantId, id, attempts, state, JSON.stringify([tried]), delayMs],
    );
  }
}

const toDelivery = (row: RowOf<typeof webhookDeliveryEntity>): WebhookDelivery => ({
  ...toLogged(row),
  body: row.body,
});

function toLogged(row: Omit<RowOf<typeof webhookDeliveryEntity>, 'body'>): LoggedDelivery {
  const { id, endpointId, event, state, attempts, tries, createdAt, nextAttemptAt } = row;
  const next = state === 'pending' ? nextAttemptAt : null;
  return { id, endpointId, event, state, attempts, tries, createdAt, nextAttemptAt: next };
}
