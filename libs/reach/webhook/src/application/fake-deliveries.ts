import type { JobQueue, PageRequest, Tx } from '#lib/kernel';
import { fakePage } from '../../../../foundation/kernel/src/fake-page.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { DeliveryTry } from '../domain/delivery-outcome.js';
import type { WebhookDeliveryId, WebhookEndpointId } from '../domain/ids.js';
import type { FakeEndpoints } from './fake-endpoints.js';
import type {
  DeliveryFilter,
  DeliveryState,
  DeliveryStore,
  LoggedDelivery,
  NewDelivery,
  WebhookDelivery,
} from './webhook.ports.js';

interface Row {
  readonly delivery: WebhookDelivery;
  readonly timesOff: number;
  readonly dueAt: number;
  readonly leasedUntil: number;
}

/** Keeps deliveries in memory. */
export class FakeDeliveries implements DeliveryStore {
  readonly #rows: FakeTable<Row>;

  constructor(
    private readonly database: FakeUnitOfWork,
    private readonly endpoints: FakeEndpoints,
    private readonly jobs: JobQueue,
  ) {
    this.#rows = new FakeTable(database);
  }

  async write(tx: Tx, deliveries: readonly NewDelivery[]): Promise<void> {
    const { now } = this.database;
    for (const each of deliveries) {
      const endpoint = await this.endpoints.find(tx, each.endpointId);
      if (endpoint?.enabled !== true) continue;
      const fresh = { state: 'pending', attempts: 0, tries: [], createdAt: now, nextAttemptAt: now } as const;
      const timesOff = this.endpoints.timesOff(tx, each.endpointId) ?? 0;
      this.#rows.of(tx).set(each.id, { delivery: { ...each, ...fresh }, timesOff, dueAt: now, leasedUntil: 0 });
    }
  }

  async claim(tx: Tx, id: WebhookDeliveryId, leaseMs: number): Promise<WebhookDelivery | null> {
    const { now } = this.database;
    const row = this.#rows.of(tx).get(id);
    if (row === undefined || !this.#isDue(tx, row)) return null;
    const endpoint = await this.endpoints.find(tx, row.delivery.endpointId);
    if (endpoint?.enabled !== true) return null;
    const underWay = this.#of(tx, endpoint.id).filter(
      ({ delivery, leasedUntil }) => delivery.state === 'pending' && leasedUntil > now,
    );
    if (underWay.length >= (endpoint.failingSince === null ? 4 : 1)) return null;
    const until = now + leaseMs;
    const delivery = { ...row.delivery, attempts: row.delivery.attempts + 1, nextAttemptAt: until };
    this.#rows.of(tx).set(id, { ...row, delivery, dueAt: until, leasedUntil: until });
    return delivery;
  }

  async wakeNext(tx: Tx, endpointId: WebhookEndpointId): Promise<void> {
    const [next] = this.#of(tx, endpointId)
      .filter((row) => this.#isDue(tx, row))
      .sort((one, other) => one.dueAt - other.dueAt);
    if (next !== undefined) await this.jobs.enqueue(tx, 'webhook.deliver', next.delivery.id);
  }

  delivered(tx: Tx, delivery: WebhookDelivery, tried: DeliveryTry): Promise<void> {
    return this.#settle(tx, delivery, tried, 'delivered', 0);
  }

  later(tx: Tx, delivery: WebhookDelivery, tried: DeliveryTry, delayMs: number): Promise<void> {
    return this.#settle(tx, delivery, tried, 'pending', delayMs);
  }

  failed(tx: Tx, delivery: WebhookDelivery, tried: DeliveryTry): Promise<void> {
    return this.#settle(tx, delivery, tried, 'failed', 0);
  }

  find(tx: Tx, endpointId: WebhookEndpointId, id: WebhookDeliveryId): Promise<WebhookDelivery | null> {
    const delivery = this.#rows.of(tx).get(id)?.delivery;
    return Promise.resolve(delivery?.endpointId === endpointId ? delivery : null);
  }

  list(
    tx: Tx,
    endpointId: WebhookEndpointId,
    { state, event }: DeliveryFilter,
    page: PageRequest,
  ): Promise<readonly LoggedDelivery[]> {
    const found = this.#of(tx, endpointId)
      .map(({ delivery: { body: _, ...logged } }) => logged)
      .filter((each) => (state === undefined || each.state === state) && (event === undefined || each.event === event));
    return Promise.resolve(fakePage(found, ({ createdAt }) => createdAt, page));
  }

  resend(tx: Tx, id: WebhookDeliveryId): Promise<boolean> {
    const row = this.#rows.of(tx).get(id);
    const timesOff = row === undefined ? null : this.endpoints.timesOff(tx, row.delivery.endpointId);
    if (row === undefined || timesOff === null) return Promise.resolve(false);
    const { now } = this.database;
    const waits = row.delivery.state === 'pending' && row.timesOff === timesOff;
    if (waits && (row.leasedUntil !== 0 || row.dueAt <= now)) return Promise.resolve(false);
    const attempts = waits ? Math.max(row.delivery.attempts - 1, 0) : 0;
    const delivery = { ...row.delivery, state: 'pending', attempts, nextAttemptAt: now } as const;
    this.#rows.of(tx).set(id, { delivery, timesOff, dueAt: now, leasedUntil: 0 });
    return Promise.resolve(true);
  }

  #settle(
    tx: Tx,
    { id, attempts }: WebhookDelivery,
    tried: DeliveryTry,
    state: DeliveryState,
    delayMs: number,
  ): Promise<void> {
    const row = this.#rows.of(tx).get(id);
    if (row?.delivery.state !== 'pending' || row.delivery.attempts !== attempts) return Promise.resolve();
    const dueAt = this.database.now + delayMs;
    const nextAttemptAt = state === 'pending' ? dueAt : null;
    const delivery = { ...row.delivery, state, tries: [...row.delivery.tries, tried], nextAttemptAt };
    this.#rows.of(tx).set(id, { ...row, delivery, dueAt, leasedUntil: 0 });
    return Promise.resolve();
  }

  #of(tx: Tx, endpointId: WebhookEndpointId): readonly Row[] {
    return [...this.#rows.of(tx).values()].filter(({ delivery }) => delivery.endpointId === endpointId);
  }

  #isDue(tx: Tx, { delivery, timesOff, dueAt }: Row): boolean {
    const now = this.endpoints.timesOff(tx, delivery.endpointId);
    return delivery.state === 'pending' && dueAt <= this.database.now && timesOff === now;
  }
}
