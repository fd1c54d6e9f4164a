import type { PersonId, Tx } from '#lib/kernel';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { WebhookEndpointId } from '../domain/ids.js';
import type { OffReason, WebhookEndpoint } from '../domain/webhook-endpoint.js';
import type { EndpointSecrets, EndpointStore, SecretSeen } from './webhook.ports.js';

interface Row {
  readonly endpoint: WebhookEndpoint;
  /** Deliveries of an earlier count are given up. */
  readonly timesOff: number;
}

/** Keeps endpoints in memory. */
export class FakeEndpoints implements EndpointStore {
  readonly #rows: FakeTable<Row>;

  constructor(
    private readonly database: FakeUnitOfWork,
    private readonly secrets: FakeEndpointSecrets,
  ) {
    this.#rows = new FakeTable(database);
  }

  all(tx: Tx): Promise<readonly WebhookEndpoint[]> {
    return Promise.resolve([...this.#rows.of(tx).values()].map(({ endpoint }) => endpoint));
  }

  find(tx: Tx, id: WebhookEndpointId): Promise<WebhookEndpoint | null> {
    return Promise.resolve(this.#rows.of(tx).get(id)?.endpoint ?? null);
  }

  lockForChange(): Promise<void> {
    return Promise.resolve();
  }

  save(tx: Tx, endpoint: WebhookEndpoint): Promise<void> {
    const before = this.#rows.of(tx).get(endpoint.id);
    const { createdBy, createdAt } = before?.endpoint ?? endpoint;
    const timesOff = before?.timesOff ?? 0;
    this.#rows.of(tx).set(endpoint.id, { endpoint: { ...endpoint, createdBy, createdAt }, timesOff });
    return Promise.resolve();
  }

  remove(tx: Tx, id: WebhookEndpointId): Promise<void> {
    this.#rows.of(tx).delete(id);
    this.secrets.removeOf(tx, id);
    return Promise.resolve();
  }

  note(tx: Tx, id: WebhookEndpointId, succeeded: boolean): Promise<number | null> {
    const row = this.#rows.of(tx).get(id);
    if (row === undefined) return Promise.resolve(null);
    const failingSince = succeeded ? null : (row.endpoint.failingSince ?? this.database.now);
    this.#rows.of(tx).set(id, { ...row, endpoint: { ...row.endpoint, failingSince } });
    return Promise.resolve(failingSince);
  }

  switchOff(tx: Tx, id: WebhookEndpointId, offReason: OffReason): Promise<boolean> {
    const row = this.#rows.of(tx).get(id);
    if (row?.endpoint.enabled !== true) return Promise.resolve(false);
    const endpoint = { ...row.endpoint, enabled: false, offReason };
    this.#rows.of(tx).set(id, { endpoint, timesOff: row.timesOff + 1 });
    return Promise.resolve(true);
  }

  /** No person is disabled in memory. */
  async told(tx: Tx, id: WebhookEndpointId): Promise<readonly PersonId[]> {
    const endpoint = await this.find(tx, id);
    return endpoint === null ? [] : [endpoint.createdBy];
  }

  /** Null for a removed endpoint. */
  timesOff(tx: Tx, id: WebhookEndpointId): number | null {
    return this.#rows.of(tx).get(id)?.timesOff ?? null;
  }
}

interface Secret extends SecretSeen {
  readonly secret: string;
}

/** Keeps secrets in memory, the newest first. */
export class FakeEndpointSecrets implements EndpointSecrets {
  readonly #rows: FakeTable<readonly Secret[]>;

  constructor(private readonly database: FakeUnitOfWork) {
    this.#rows = new FakeTable(database);
  }

  renew(tx: Tx, id: WebhookEndpointId, secret: string, earlierUntil: number): Promise<void> {
    const earlier = this.#valid(tx, id)
      .map((each) => ({ ...each, until: Math.min(each.until ?? Infinity, earlierUntil) }))
      .slice(0, 2);
    this.#rows.of(tx).set(id, [{ secret, madeAt: this.database.now, until: null }, ...earlier]);
    return Promise.resolve();
  }

  valid(tx: Tx, id: WebhookEndpointId): Promise<readonly string[]> {
    return Promise.resolve(this.#valid(tx, id).map(({ secret }) => secret));
  }

  seen(tx: Tx, id: WebhookEndpointId): Promise<readonly SecretSeen[]> {
    return Promise.resolve(this.#valid(tx, id).map(({ madeAt, until }) => ({ madeAt, until })));
  }

  holders(tx: Tx): Promise<ReadonlySet<WebhookEndpointId>> {
    return Promise.resolve(new Set([...this.#rows.of(tx).keys()] as WebhookEndpointId[]));
  }

  removeOf(tx: Tx, id: WebhookEndpointId): void {
    this.#rows.of(tx).delete(id);
  }

  #valid(tx: Tx, id: WebhookEndpointId): readonly Secret[] {
    const { now } = this.database;
    return (this.#rows.of(tx).get(id) ?? []).filter(({ until }) => until === null || until > now);
  }
}
