import { sqlOf } from '#lib/database';
import { digestOf, type ChangeRequestId, type Digest, type Tx } from '#lib/kernel';
import type { KeyWrapping, WrappedBytes } from '#lib/tenancy';
import type { Installed, SealedSlackSecrets, SlackApp, WaitingSlackSecrets } from '../application/slack.ports.js';

interface Row {
  readonly key_id: string;
  readonly nonce: Uint8Array;
  readonly ciphertext: Uint8Array;
}

/** Secrets of Slack apps and installations that wait, table slack_app_waiting: wrapped with tenant and purpose authenticated. */
export class SqlWaitingSlackApps implements WaitingSlackSecrets {
  constructor(private readonly wrapping: KeyWrapping) {}

  async seal(tx: Tx, secrets: SlackApp | Installed): Promise<SealedSlackSecrets> {
    const sealed = await this.wrapping.wrap(purpose(tx), Buffer.from(JSON.stringify(secrets)));
    return { ...sealed, digest: digestOfSealed(sealed) };
  }

  async keep(tx: Tx, changeId: ChangeRequestId, { keyId, nonce, ciphertext }: SealedSlackSecrets): Promise<void> {
    await sqlOf(tx).execute(
      'insert into slack_app_waiting (tenant_id, change_id, key_id, nonce, ciphertext) values ($1, $2, $3, $4, $5)',
      [tx.tenantId, changeId, keyId, nonce, ciphertext],
    );
  }

  async open<Secrets extends SlackApp | Installed>(
    tx: Tx,
    changeId: ChangeRequestId,
    expected: Digest,
  ): Promise<Secrets> {
    const [row] = await sqlOf(tx).query<Row>(
      'select key_id, nonce, ciphertext from slack_app_waiting where tenant_id = $1 and change_id = $2',
      [tx.tenantId, changeId],
    );
    if (row === undefined) throw new Error(`the secrets of change ${changeId} are not there`);
    const sealed = { keyId: row.key_id, nonce: row.nonce, ciphertext: row.ciphertext };
    if (digestOfSealed(sealed) !== expected) throw new Error(`the secrets of change ${changeId} are others`);
    const plain = await this.wrapping.unwrap(purpose(tx), sealed);
    // Written by `seal`; nothing else unwraps for this purpose.
    return JSON.parse(Buffer.from(plain).toString('utf8')) as Secrets;
  }
}

const purpose = ({ tenantId }: Tx): string => `countersign:slack:v1:${tenantId}:waiting-app`;

const digestOfSealed = ({ keyId, nonce, ciphertext }: WrappedBytes): Digest =>
  digestOf('slack-app-waiting', {
    key_id: keyId,
    nonce: Buffer.from(nonce).toString('base64'),
    ciphertext: Buffer.from(ciphertext).toString('base64'),
  });
