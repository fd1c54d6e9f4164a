import { randomFillSync } from 'node:crypto';
import { canonicalJson, isJsonObject, type Json } from '#lib/canonical';
import {
  type DigestTree,
  maskSecrets,
  newId,
  type AuditEntryId,
  type AuditEvent,
  type AuditSink,
  type Tx,
} from '#lib/kernel';
import { payloadBytes } from '#lib/verifier';
import type { AuditEntryWriter, NotedEvidence } from './audit.ports.js';
import { nativeSha256 } from './native-sha256.js';

const SALT_BYTES = 32;
/** Salts are cut from one draw: a draw for each costs as much as the digest. */
const SALTS = 128;
const DIGEST = /^sha256:[0-9a-f]{64}$/;

/**
 * The audit sink: masks the payload, salts and digests it, and inserts the entry in the caller's transaction. Every
 * error is thrown, and takes the action back with it (T28).
 */
export class RecordAudit implements AuditSink {
  #salts = Buffer.alloc(0);

  constructor(
    private readonly entries: AuditEntryWriter,
    private readonly noted: NotedEvidence,
  ) {}

  async record(tx: Tx, event: AuditEvent): Promise<void> {
    await this.recordEntry(tx, event);
  }

  /** The same. @returns the id of the entry. */
  async recordEntry(tx: Tx, { payload, digests, evidence = [], ...event }: AuditEvent): Promise<AuditEntryId> {
    const masked = maskSecrets(payload);
    const payloadText = canonicalJson(digests === undefined ? masked : withDigests(masked, digests));
    const salt = this.#salt();
    const id = newId<AuditEntryId>();
    await this.entries.insert(tx, {
      id,
      event,
      evidence: [...evidence, ...this.noted(tx, event.decisionId)],
      salt,
      payloadText,
      payloadDigest: nativeSha256(payloadBytes(salt, payloadText)),
    });
    return id;
  }

  #salt(): Uint8Array {
    // A new buffer each time: an entry that has not been sent yet keeps its part of the old one.
    if (this.#salts.length === 0) this.#salts = randomFillSync(Buffer.alloc(SALTS * SALT_BYTES));
    const salt = this.#salts.subarray(0, SALT_BYTES);
    this.#salts = this.#salts.subarray(SALT_BYTES);
    return salt;
  }
}

function withDigests(payload: Json, digests: NonNullable<AuditEvent['digests']>): Json {
  if (!isJsonObject(payload) || !areDigests(digests)) {
    throw new Error('Only digests, beside the members of an object, are recorded without masking.');
  }
  return { ...payload, ...digests };
}

const areDigests = (tree: DigestTree): boolean =>
  tree === null || (typeof tree === 'string' ? DIGEST.test(tree) : Object.values(tree).every(areDigests));
