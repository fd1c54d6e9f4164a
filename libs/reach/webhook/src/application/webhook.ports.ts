import type { LoggedEvent, PageRequest, PersonId, Tx } from '#lib/kernel';
import type { DeliveryTry } from '../domain/delivery-outcome.js';
import type { ReportedCall } from '../domain/event-body.js';
import type { WebhookDeliveryId, WebhookEndpointId } from '../domain/ids.js';
import type { OffReason, WebhookEndpoint } from '../domain/webhook-endpoint.js';

/** A secret without its value. */
export interface SecretSeen {
  readonly madeAt: number;
  /** Until when it signs; null for the current one. */
  readonly until: number | null;
}

/** Endpoints of the transaction's tenant. */
export interface EndpointStore {
  /** By age. */
  all(tx: Tx): Promise<readonly WebhookEndpoint[]>;
  find(tx: Tx, id: WebhookEndpointId): Promise<WebhookEndpoint | null>;
  /** Until the transaction ends no other one changes an endpoint of the tenant. */
  lockForChange(tx: Tx): Promise<void>;
  /** Inserts it, or writes the settings of the one with this id. */
  save(tx: Tx, endpoint: WebhookEndpoint): Promise<void>;
  /** At once, with its secrets. Its deliveries are deleted later, by upkeep. */
  remove(tx: Tx, id: WebhookEndpointId): Promise<void>;
  /** Notes a success, or the first failure since one. @returns the first failure since the last success; null for none. */
  note(tx: Tx, id: WebhookEndpointId, succeeded: boolean): Promise<number | null>;
  /** The deliveries that wait are sent no more; upkeep marks them as failed. @returns false if it was off. */
  switchOff(tx: Tx, id: WebhookEndpointId, reason: OffReason): Promise<boolean>;
  /** Its owner; the enabled PlatformAdmins if the owner is disabled. */
  told(tx: Tx, id: WebhookEndpointId): Promise<readonly PersonId[]>;
}

/** Secrets of endpoints, encrypted. */
export interface EndpointSecrets {
  /**
   * Makes a new one. Earlier ones sign until then (epoch milliseconds), and no longer than before. Only the two newest of
   * them sign: each one more makes a leaked secret more likely.
   */
  renew(tx: Tx, id: WebhookEndpointId, secret: string, earlierUntil: number): Promise<void>;
  /** Those that sign now, the newest first. */
  valid(tx: Tx, id: WebhookEndpointId): Promise<readonly string[]>;
  seen(tx: Tx, id: WebhookEndpointId): Promise<readonly SecretSeen[]>;
  /** The endpoints that have a secret. Receivers of the others cannot verify a message. */
  holders(tx: Tx): Promise<ReadonlySet<WebhookEndpointId>>;
}

export type DeliveryState = 'pending' | 'delivered' | 'failed';

/** One event for one endpoint. Its id is the `webhook-id`, the same in every attempt. */
export interface WebhookDelivery {
  readonly id: WebhookDeliveryId;
  readonly endpointId: WebhookEndpointId;
  readonly event: string;
  /** As it is sent, masked. */
  readonly body: string;
  readonly state: DeliveryState;
  /** Since it was written or sent again, without those that were made early by request. */
  readonly attempts: number;
  /** The latest attempts, oldest first. */
  readonly tries: readonly DeliveryTry[];
  readonly createdAt: number;
  /** When the next attempt is due; null if there is none. */
  readonly nextAttemptAt: number | null;
}

/** A delivery as the log lists it; the body of each may have 128 KB. */
export type LoggedDelivery = Omit<WebhookDelivery, 'body'>;

export type NewDelivery = Pick<WebhookDelivery, 'id' | 'endpointId' | 'event' | 'body'>;

export interface DeliveryFilter {
  readonly state?: DeliveryState;
  readonly event?: string;
}

export interface DeliveryStore {
  /** Due at once. Those for an endpoint that is off are left out. */
  write(tx: Tx, deliveries: readonly NewDelivery[]): Promise<void>;
  /**
   * Leases a due delivery of an endpoint that is on, and counts the attempt. Null if it is not due or is leased by
   * another worker. Null, too, if its endpoint has enough under way: four, or one while it fails.
   */
  claim(tx: Tx, id: WebhookDeliveryId, leaseMs: number): Promise<WebhookDelivery | null>;
  /** Wakes a worker for the next delivery of the endpoint that is due, if there is one. */
  wakeNext(tx: Tx, endpointId: WebhookEndpointId): Promise<void>;
  /** Each writes the attempt, if the delivery has not been taken over since. */
  delivered(tx: Tx, delivery: WebhookDelivery, tried: DeliveryTry): Promise<void>;
  later(tx: Tx, delivery: WebhookDelivery, tried: DeliveryTry, delayMs: number): Promise<void>;
  failed(tx: Tx, delivery: WebhookDelivery, tried: DeliveryTry): Promise<void>;
  find(tx: Tx, endpointId: WebhookEndpointId, id: WebhookDeliveryId): Promise<WebhookDelivery | null>;
  /** Newest first. */
  list(
    tx: Tx,
    endpointId: WebhookEndpointId,
    filter: DeliveryFilter,
    page: PageRequest,
  ): Promise<readonly LoggedDelivery[]>;
  /**
   * Makes a settled or abandoned delivery due again. One that waits for its next attempt becomes due at once. An
   * attempt by request uses up none of the automatic ones: after it, the same wait begins anew.
   *
   * @returns false if it is due or under way already.
   */
  resend(tx: Tx, id: WebhookDeliveryId): Promise<boolean>;
}

/** The facts of calls that audit entries do not repeat. */
export interface ReportedCalls {
  /** By the id of the entry; those without a call are absent. */
  of(tx: Tx, events: readonly LoggedEvent[]): Promise<ReadonlyMap<string, ReportedCall>>;
}
