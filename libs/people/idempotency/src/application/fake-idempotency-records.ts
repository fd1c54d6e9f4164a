import { createHash } from 'node:crypto';
import type { Tx } from '#lib/kernel';
import type { SampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { AnswerToKeep, ClaimOutcome, IdempotencyClaim, IdempotencyRecords } from './idempotency.ports.js';

interface KeptRecord {
  readonly operation: string;
  readonly requestDigest: string;
  readonly createdAt: number;
  readonly answer: AnswerToKeep | null;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const nameOf = ({ credentialId, key }: IdempotencyClaim): string => `${credentialId} ${key}`;

/** A request of the tenant's admin. */
export const sampleClaim = ({ tenantId, admin }: SampleTenant, key: string): IdempotencyClaim => ({
  tenantId,
  credentialId: admin.credentialId,
  key,
  operation: 'POST /v1/tasks',
  requestDigest: `sha256:${createHash('sha256').update('a task').digest('hex')}`,
});

/** Keeps answers in memory. One transaction runs after another, so that none meets a key that another is claiming. */
export class FakeIdempotencyRecords implements IdempotencyRecords {
  readonly #records: FakeTable<KeptRecord>;

  constructor(database: FakeUnitOfWork) {
    this.#records = new FakeTable(database);
  }

  async claim(tx: Tx, claim: IdempotencyClaim): Promise<ClaimOutcome> {
    const { operation, requestDigest } = claim;
    const [records, name, now] = [this.#records.of(tx), nameOf(claim), await tx.now()];
    const found = records.get(name);
    if (found === undefined || found.createdAt + DAY_MS <= now) {
      records.set(name, { operation, requestDigest, createdAt: now, answer: null });
      return { kind: 'claimed' };
    }
    if (found.operation !== operation || found.requestDigest !== requestDigest) return { kind: 'mismatch' };
    return found.answer === null
      ? { kind: 'unfinished', old: found.createdAt < now - MINUTE_MS }
      : { kind: 'answered', answer: found.answer };
  }

  complete(tx: Tx, claim: IdempotencyClaim, answer: AnswerToKeep): Promise<void> {
    const [records, name] = [this.#records.of(tx), nameOf(claim)];
    const found = records.get(name);
    if (found !== undefined) records.set(name, { ...found, answer });
    return Promise.resolve();
  }

  release(tx: Tx, claim: IdempotencyClaim): Promise<void> {
    const [records, name] = [this.#records.of(tx), nameOf(claim)];
    if (records.get(name)?.answer === null) records.delete(name);
    return Promise.resolve();
  }
}
