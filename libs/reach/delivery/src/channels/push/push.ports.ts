import type { PersonId, TenantId, Tx } from '#lib/kernel';
import type { Delivery } from '../../application/delivery.ports.js';

export interface PushKey {
  readonly publicKey: string;
  readonly privateKey: string;
}

export interface PushSubscription {
  readonly id: string;
  readonly personId: PersonId;
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  readonly createdAt: number;
}

export interface PushSubscriptions {
  /** The key of the tenant. The first call makes it. */
  key(tx: Tx): Promise<PushKey>;
  save(tx: Tx, subscription: Omit<PushSubscription, 'createdAt'>): Promise<PushSubscription>;
  mine(tx: Tx, personId: PersonId): Promise<readonly PushSubscription[]>;
  of(tx: Tx, people: readonly PersonId[]): Promise<readonly PushSubscription[]>;
  find(tx: Tx, id: string): Promise<PushSubscription | null>;
  /** @returns false if the person has no such live subscription. */
  end(tx: Tx, id: string, personId: PersonId | null): Promise<boolean>;
}

export interface PushSender {
  /** @returns `gone` if the browser no longer takes messages. */
  send(tenantId: TenantId, key: PushKey, subscription: PushSubscription, payload: string): Promise<Delivery | 'gone'>;
}
