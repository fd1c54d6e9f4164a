import { Not } from 'typeorm';
import { rowsOf, sqlOf } from '#lib/database';
import { newId, ok, type Result, type Tx } from '#lib/kernel';
import type { KeyWrapping, SealedElsewhere } from '#lib/tenancy';
import type { AutomationSecrets } from '../application/automation-webhook.ports.js';
import type { AutomationId } from '../domain/ids.js';
import { automationSecretEntity } from './automation.entity.js';

const AUTOMATION_SECRET = automationSecretEntity.as('automation_secret');
const COLUMN = automationSecretEntity.column;

/** Secrets in PostgreSQL, each encrypted for its row and its automation (T32). A rotation of the master key takes them along. */
export class SqlAutomationSecrets implements AutomationSecrets, SealedElsewhere {
  constructor(private readonly wrapping: KeyWrapping) {}

  async renew(tx: Tx, automationId: AutomationId, secret: string, earlierUntil: number): Promise<void> {
    await sqlOf(tx).execute(
      `delete from automation_secret where tenant_id = $1 and ${AUTOMATION_SECRET.automationId} = $2
         and ${AUTOMATION_SECRET.until} <= clock_timestamp()`,
      [tx.tenantId, automationId],
    );
    await sqlOf(tx).execute(
      `update automation_secret set ${COLUMN.until} = least(coalesce(${AUTOMATION_SECRET.until}, $3), $3) where tenant_id = $1
         and ${AUTOMATION_SECRET.automationId} = $2`,
      [tx.tenantId, automationId, new Date(earlierUntil)],
    );
    const id = newId();
    const wrapped = await this.wrapping.wrap(purpose(tx, automationId, id), Buffer.from(secret));
    await rowsOf(tx, automationSecretEntity).insert({ id, automationId, ...wrapped, until: null });
  }

  async valid(tx: Tx, automationId: AutomationId): Promise<readonly string[]> {
    const now = await tx.now();
    const rows = await rowsOf(tx, automationSecretEntity).find({ automationId }, { order: { id: 'desc' } });
    const good = rows.filter(({ until }) => until === null || until > now);
    return Promise.all(
      good.map(async ({ id, keyId, nonce, ciphertext }) => {
        const opened = await this.wrapping.unwrap(purpose(tx, automationId, id), { keyId, nonce, ciphertext });
        return Buffer.from(opened).toString('utf8');
      }),
    );
  }

  async resealStale(tx: Tx, keyId: string, limit: number): Promise<Result<readonly string[]>> {
    const rows = rowsOf(tx, automationSecretEntity);
    const stale = await rows.find({ keyId: Not(keyId) }, { order: { id: 'asc' }, limit, lock: 'update' });
    for (const { id, automationId, keyId: before, nonce, ciphertext } of stale) {
      const opened = await this.wrapping.unwrap(purpose(tx, automationId, id), { keyId: before, nonce, ciphertext });
      await rows.update({ id }, await this.wrapping.wrap(purpose(tx, automationId, id), opened));
    }
    return ok(stale.map(({ id }) => `automation/${id}`));
  }
}

const purpose = ({ tenantId }: Tx, automationId: string, id: string): string =>
  `countersign:automation:v1:${tenantId}:${automationId}:${id}`;
