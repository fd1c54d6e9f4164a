import { randomBytes } from 'node:crypto';
import { canonicalJson } from '#lib/canonical';
import { decisionEvidence, maskSecrets, newId, type AuditEvent, type AuditSink, type Tx } from '#lib/kernel';
import { payloadDigest } from '#lib/verifier';
import type { AuditEntryWriter } from './audit.ports.js';

const SALT_BYTES = 32;

/**
 * The audit sink: masks the payload, salts and digests it, and inserts the entry in the caller's transaction. Whatever
 * goes wrong is thrown, and takes the action back with it (T28).
 */
export class RecordAudit implements AuditSink {
  constructor(private readonly entries: AuditEntryWriter) {}

  async record(tx: Tx, { payload, evidence = [], ...event }: AuditEvent): Promise<void> {
    const payloadText = canonicalJson(maskSecrets(payload));
    const salt = randomBytes(SALT_BYTES);
    const decision = event.decisionId === undefined ? undefined : decisionEvidence(tx, event.decisionId);
    await this.entries.insert(tx, {
      id: newId(),
      event,
      evidence: decision === undefined ? evidence : [...evidence, decision],
      salt,
      payloadText,
      payloadDigest: payloadDigest(salt, payloadText),
    });
  }
}
