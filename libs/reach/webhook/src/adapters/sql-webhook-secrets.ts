import { IsNull, Not } from 'typeorm';
import { DATABASE_CLOCK, rowsOf, sqlOf } from '#lib/database';
import { newId, ok, type Result, type Tx } from '#lib/kernel';
import type { KeyWrapping, SealedElsewhere } from '#lib/tenancy';
import type { EndpointSecrets, SecretSeen } from '../application/webhook.ports.js';
import type { WebhookEndpointId } from '../domain/ids.js';
import { webhookSecretEntity } from './webhook.entity.js';

const COLUMN = webhookSecretEntity.column;
const WEBHOOK_SECRET = webhookSecretEntity.as('webhook_secret');
const KEPT = webhookSecretEntity.as('kept');

/** Earlier secrets that still sign, beside the current one. */
const EARLIER = 2;

/** Secrets of endpoints in PostgreSQL, each encrypted for its row (T32). A rotation of the master key takes them along. */
export class SqlWebhookSecrets implements EndpointSecrets, SealedElsewhere {
  constructor(private readonly wrapping: KeyWrapping) {}

  async renew(tx: Tx, endpointId: WebhookEndpointId, secret: string, earlierUntil: number): Promise<void> {
    const rows = rowsOf(tx, webhookSecretEntity);
    await sqlOf(tx).execute(
      `update webhook_secret set ${COLUMN.until} = least(${WEBHOOK_SECRET.until}, to_timestamp($3::bigint / 1000.0)) where tenant_id = $1
         and ${WEBHOOK_SECRET.endpointId} = $2`,
      [tx.tenantId, endpointId, earlierUntil],
    );
    await sqlOf(tx).execute(
      `delete from webhook_secret
        where tenant_id = $1 and ${WEBHOOK_SECRET.endpointId} = $2
          and (${WEBHOOK_SECRET.until} <= clock_timestamp()
               or ${WEBHOOK_SECRET.id} not in (select ${KEPT.id} from webhook_secret kept where kept.tenant_id = $1
                 and ${KEPT.endpointId} = $2
                              order by ${KEPT.id} desc limit ${String(EARLIER)}))`,
      [tx.tenantId, endpointId],
    );
    const id = newId();
    const wrapped = await this.wrapping.wrap(purpose(tx, id), Buffer.from(secret));
    await rows.insert({ id, endpointId, ...wrapped, madeAt: DATABASE_CLOCK, until: null });
  }

  async valid(tx: Tx, endpointId: WebhookEndpointId): Promise<readonly string[]> {
    const secrets: string[] = [];
    for (const { id, keyId, nonce, ciphertext } of await this.#valid(tx, endpointId)) {
      const opened = await this.wrapping.unwrap(purpose(tx, id), { keyId, nonce, ciphertext });
      secrets.push(Buffer.from(opened).toString('utf8'));
    }
    return secrets;
  }

  async seen(tx: Tx, endpointId: WebhookEndpointId): Promise<readonly SecretSeen[]> {
    return (await this.#valid(tx, endpointId)).map(({ madeAt, until }) => ({ madeAt, until }));
  }

  async holders(tx: Tx): Promise<ReadonlySet<WebhookEndpointId>> {
    const current = await rowsOf(tx, webhookSecretEntity).find({ until: IsNull() }, { only: ['endpointId'] });
    return new Set(current.map(({ endpointId }) => endpointId));
  }

  async resealStale(tx: Tx, keyId: string, limit: number): Promise<Result<readonly string[]>> {
    const rows = rowsOf(tx, webhookSecretEntity);
    const stale = await rows.find({ keyId: Not(keyId) }, { order: { id: 'asc' }, limit, lock: 'update' });
    for (const { id, keyId: before, nonce, ciphertext } of stale) {
      const opened = await this.wrapping.unwrap(purpose(tx, id), { keyId: before, nonce, ciphertext });
      await rows.update({ id }, await this.wrapping.wrap(purpose(tx, id), opened));
    }
    return ok(stale.map(({ id }) => `webhook/${id}`));
  }

  async #valid(tx: Tx, endpointId: WebhookEndpointId) {
    const now = await tx.now();
    const rows = await rowsOf(tx, webhookSecretEntity).find({ endpointId }, { order: { id: 'desc' } });
    return rows.filter(({ until }) => until === null || until > now);
  }
}

const purpose = ({ tenantId }: Tx, id: string): string => `countersign:webhook:v1:${tenantId}:${id}`;
