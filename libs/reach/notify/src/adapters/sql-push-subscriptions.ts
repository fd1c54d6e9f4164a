import { sqlOf } from '#lib/database';
import type { PersonId, Tx } from '#lib/kernel';
import type { KeyWrapping } from '#lib/tenancy';
import type { PushKey, PushSubscription, PushSubscriptions } from '../application/notify.ports.js';
import { epochMs, toMs } from './epoch-ms.js';

interface SubscriptionRow {
  readonly id: string;
  readonly person_id: PersonId;
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  readonly created_at: string;
}

const columns = `id, person_id, endpoint, p256dh, auth, ${epochMs('created_at')} as created_at`;

export class SqlPushSubscriptions implements PushSubscriptions {
  constructor(private readonly wrapping: KeyWrapping) {}

  async key(tx: Tx): Promise<PushKey> {
    return (await this.#stored(tx)) ?? this.#made(tx);
  }

  async #stored(tx: Tx): Promise<PushKey | null> {
    const [row] = await sqlOf(tx).query<{
      public_key: string;
      key_id: string;
      private_key_nonce: Uint8Array;
      private_key: Uint8Array;
    }>('select public_key, key_id, private_key_nonce, private_key from push_key where tenant_id = $1', [tx.tenantId]);
    if (row === undefined) return null;
    const opened = await this.wrapping.unwrap(purpose(tx), {
      keyId: row.key_id,
      nonce: row.private_key_nonce,
      ciphertext: row.private_key,
    });
    return { publicKey: row.public_key, privateKey: Buffer.from(opened).toString('utf8') };
  }

  async #made(tx: Tx): Promise<PushKey> {
    const { default: webPush } = await import('web-push');
    const { publicKey, privateKey } = webPush.generateVAPIDKeys();
    const sealed = await this.wrapping.wrap(purpose(tx), Buffer.from(privateKey));
    await sqlOf(tx).execute(
      `insert into push_key (tenant_id, public_key, key_id, private_key_nonce, private_key, created_at)
       values ($1, $2, $3, $4, $5, clock_timestamp()) on conflict (tenant_id) do nothing`,
      [tx.tenantId, publicKey, sealed.keyId, sealed.nonce, sealed.ciphertext],
    );
    // Two may have made one at once; the first counts.
    const stored = await this.#stored(tx);
    if (stored === null) throw new Error('a push key that was just written is not there');
    return stored;
  }

  async save(tx: Tx, subscription: Omit<PushSubscription, 'createdAt'>): Promise<PushSubscription> {
    const sql = sqlOf(tx);
    // A browser belongs to whoever used it last.
    await sql.execute(
      'update push_subscription set ended_at = clock_timestamp() where tenant_id = $1 and endpoint = $2 and ended_at is null',
      [tx.tenantId, subscription.endpoint],
    );
    const { id, personId, endpoint, p256dh, auth } = subscription;
    const [row] = await sql.query<SubscriptionRow>(
      `insert into push_subscription (tenant_id, id, person_id, endpoint, p256dh, auth, created_at)
       values ($1, $2, $3, $4, $5, $6, clock_timestamp()) returning ${columns}`,
      [tx.tenantId, id, personId, endpoint, p256dh, auth],
    );
    if (row === undefined) throw new Error('a subscription that was just written is not there');
    return toSubscription(row);
  }

  mine(tx: Tx, personId: PersonId): Promise<readonly PushSubscription[]> {
    return this.of(tx, [personId]);
  }

  async of(tx: Tx, people: readonly PersonId[]): Promise<readonly PushSubscription[]> {
    const rows = await sqlOf(tx).query<SubscriptionRow>(
      `select ${columns} from push_subscription
        where tenant_id = $1 and person_id = any ($2::uuid[]) and ended_at is null order by id`,
      [tx.tenantId, people],
    );
    return rows.map(toSubscription);
  }

  async find(tx: Tx, id: string): Promise<PushSubscription | null> {
    const [row] = await sqlOf(tx).query<SubscriptionRow>(
      `select ${columns} from push_subscription where tenant_id = $1 and id = $2 and ended_at is null`,
      [tx.tenantId, id],
    );
    return row === undefined ? null : toSubscription(row);
  }

  async end(tx: Tx, id: string, personId: PersonId | null): Promise<boolean> {
    const ended = await sqlOf(tx).execute(
      `update push_subscription set ended_at = clock_timestamp()
        where tenant_id = $1 and id = $2 and ($3::uuid is null or person_id = $3) and ended_at is null`,
      [tx.tenantId, id, personId],
    );
    return ended === 1;
  }
}

const purpose = ({ tenantId }: Tx): string => `countersign:push:v1:${tenantId}`;

const toSubscription = (row: SubscriptionRow): PushSubscription => ({
  id: row.id,
  personId: row.person_id,
  endpoint: row.endpoint,
  p256dh: row.p256dh,
  auth: row.auth,
  createdAt: toMs(row.created_at),
});
