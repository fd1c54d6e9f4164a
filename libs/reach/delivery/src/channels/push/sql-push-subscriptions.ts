import { IsNull } from 'typeorm';
import { DATABASE_CLOCK, rowsOf, sqlOf, type RowOf } from '#lib/database';
import type { PersonId, Tx } from '#lib/kernel';
import type { KeyWrapping } from '#lib/tenancy';
import { pushKeyEntity, pushSubscriptionEntity } from '../../adapters/delivery.entity.js';
import type { PushKey, PushSubscription, PushSubscriptions } from './push.ports.js';

const SUBSCRIPTION = pushSubscriptionEntity.as('subscription');

const subscription = pushSubscriptionEntity.all;

/** Push subscriptions in PostgreSQL, and the tenant's key. The private key is wrapped. */
export class SqlPushSubscriptions implements PushSubscriptions {
  constructor(private readonly wrapping: KeyWrapping) {}

  async key(tx: Tx): Promise<PushKey> {
    return (await this.#stored(tx)) ?? this.#made(tx);
  }

  async #stored(tx: Tx): Promise<PushKey | null> {
    const row = await rowsOf(tx, pushKeyEntity).findOne({});
    if (row === null) return null;
    const { publicKey, keyId, privateKeyNonce: nonce, privateKey: ciphertext } = row;
    const opened = await this.wrapping.unwrap(purpose(tx), { keyId, nonce, ciphertext });
    return { publicKey, privateKey: Buffer.from(opened).toString('utf8') };
  }

  async #made(tx: Tx): Promise<PushKey> {
    const { default: webPush } = await import('web-push');
    const { publicKey, privateKey } = webPush.generateVAPIDKeys();
    const { keyId, nonce, ciphertext } = await this.wrapping.wrap(purpose(tx), Buffer.from(privateKey));
    await rowsOf(tx, pushKeyEntity).insertUnless([], {
      publicKey,
      keyId,
      privateKeyNonce: nonce,
      privateKey: ciphertext,
      createdAt: DATABASE_CLOCK,
    });
    // If two transactions make a key at once, the first counts.
    const stored = await this.#stored(tx);
    if (stored === null) throw new Error('a push key that was just written is not there');
    return stored;
  }

  async save(tx: Tx, subscription: Omit<PushSubscription, 'createdAt'>): Promise<PushSubscription> {
    const table = rowsOf(tx, pushSubscriptionEntity);
    const now = await tx.now();
    // A browser belongs to the person who used it last.
    await table.update({ endpoint: subscription.endpoint, endedAt: IsNull() }, { endedAt: now });
    const row = { ...subscription, createdAt: now, endedAt: null };
    await table.insert(row);
    return toSubscription(row);
  }

  mine(tx: Tx, personId: PersonId): Promise<readonly PushSubscription[]> {
    return this.of(tx, [personId]);
  }

  async of(tx: Tx, people: readonly PersonId[]): Promise<readonly PushSubscription[]> {
    if (people.length === 0) return [];
    // On the way of every delivery: TypeORM takes ten times as long to make the statement.
    const rows = await sqlOf(tx).query<RowOf<typeof pushSubscriptionEntity>>(
      `select ${subscription.columns('subscription')} from push_subscription subscription
        where tenant_id = $1 and ${SUBSCRIPTION.personId} = any ($2::uuid[]) and ${SUBSCRIPTION.endedAt} is null
          order by ${SUBSCRIPTION.id}`,
      [tx.tenantId, people],
    );
    return rows.map((row) => toSubscription(subscription.row(row)));
  }

  async find(tx: Tx, id: string): Promise<PushSubscription | null> {
    const row = await rowsOf(tx, pushSubscriptionEntity).findOne({ id, endedAt: IsNull() });
    return row === null ? null : toSubscription(row);
  }

  async end(tx: Tx, id: string, personId: PersonId | null): Promise<boolean> {
    const where = { id, ...(personId === null ? {} : { personId }), endedAt: IsNull() };
    return (await rowsOf(tx, pushSubscriptionEntity).update(where, { endedAt: DATABASE_CLOCK })) === 1;
  }
}

const purpose = ({ tenantId }: Tx): string => `countersign:push:v1:${tenantId}`;

const toSubscription = ({ endedAt: _, ...subscription }: RowOf<typeof pushSubscriptionEntity>): PushSubscription =>
  subscription;
