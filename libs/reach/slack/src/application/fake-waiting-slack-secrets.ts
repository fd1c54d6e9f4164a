import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import { digestOf, type ChangeRequestId, type Digest, type Tx } from '#lib/kernel';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { Installed, SealedSlackSecrets, SlackApp, WaitingSlackSecrets } from './slack.ports.js';

/** Keeps secrets that wait in memory. Their ciphertext is the plain text. */
export class FakeWaitingSlackSecrets implements WaitingSlackSecrets {
  readonly #kept: FakeTable<SealedSlackSecrets>;

  constructor(database: FakeUnitOfWork) {
    this.#kept = new FakeTable(database);
  }

  seal(_tx: Tx, secrets: SlackApp | Installed): Promise<SealedSlackSecrets> {
    const nonce = randomBytes(12);
    const ciphertext = Buffer.from(JSON.stringify(secrets));
    const digest = digestOf('slack-app-waiting', { nonce: nonce.toString('hex') });
    return Promise.resolve({ keyId: 'fake', nonce, ciphertext, digest });
  }

  keep(tx: Tx, changeId: ChangeRequestId, sealed: SealedSlackSecrets): Promise<void> {
    this.#kept.of(tx).set(changeId, sealed);
    return Promise.resolve();
  }

  // oxlint-disable-next-line typescript/require-await -- it rejects rather than throws
  async open<Secrets>(tx: Tx, changeId: ChangeRequestId, digest: Digest, schema: z.ZodType<Secrets>): Promise<Secrets> {
    const sealed = this.#kept.of(tx).get(changeId);
    if (sealed === undefined) throw new Error(`the secrets of change ${changeId} are not there`);
    if (sealed.digest !== digest) throw new Error(`the secrets of change ${changeId} are others`);
    return schema.parse(JSON.parse(Buffer.from(sealed.ciphertext).toString('utf8')));
  }

  /** Forgets the secrets of a change that ended. */
  forget(tx: Pick<Tx, 'tenantId'>, changeId: ChangeRequestId): void {
    this.#kept.of(tx).delete(changeId);
  }
}
