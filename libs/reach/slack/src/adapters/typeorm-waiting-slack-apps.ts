import type { z } from 'zod';
import { parsedPlainText, rowsOf } from '#lib/database';
import { digestOf, type ChangeRequestId, type Digest, type Tx } from '#lib/kernel';
import type { KeyWrapping, WrappedBytes } from '#lib/tenancy';
import type { Installed, SealedSlackSecrets, SlackApp, WaitingSlackSecrets } from '../application/slack.ports.js';
import { slackAppWaitingEntity } from './slack.entity.js';

/** Secrets of Slack apps and installations that wait, table slack_app_waiting: wrapped with tenant and purpose authenticated. */
export class TypeormWaitingSlackApps implements WaitingSlackSecrets {
  constructor(private readonly wrapping: KeyWrapping) {}

  async seal(tx: Tx, secrets: SlackApp | Installed): Promise<SealedSlackSecrets> {
    const sealed = await this.wrapping.wrap(purpose(tx), Buffer.from(JSON.stringify(secrets)));
    return { ...sealed, digest: digestOfSealed(sealed) };
  }

  async keep(tx: Tx, changeId: ChangeRequestId, { keyId, nonce, ciphertext }: SealedSlackSecrets): Promise<void> {
    await rowsOf(tx, slackAppWaitingEntity).insert({ changeId, keyId, nonce, ciphertext });
  }

  async open<Secrets>(
    tx: Tx,
    changeId: ChangeRequestId,
    expected: Digest,
    schema: z.ZodType<Secrets>,
  ): Promise<Secrets> {
    const sealed = await rowsOf(tx, slackAppWaitingEntity).findOne({ changeId });
    if (sealed === null) throw new Error(`the secrets of change ${changeId} are not there`);
    if (digestOfSealed(sealed) !== expected) throw new Error(`the secrets of change ${changeId} are others`);
    const plain = await this.wrapping.unwrap(purpose(tx), sealed);
    return parsedPlainText(schema, Buffer.from(plain).toString('utf8'), {
      table: 'slack_app_waiting',
      column: 'ciphertext',
      id: changeId,
    });
  }
}

const purpose = ({ tenantId }: Tx): string => `countersign:slack:v1:${tenantId}:waiting-app`;

const digestOfSealed = ({ keyId, nonce, ciphertext }: WrappedBytes): Digest =>
  digestOf('slack-app-waiting', {
    key_id: keyId,
    nonce: Buffer.from(nonce).toString('base64'),
    ciphertext: Buffer.from(ciphertext).toString('base64'),
  });
