import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAudit, createAuditStore, createSigningKeys, type AuditLog, type NotedEvidence } from '#lib/audit';
import { testDatabase, type TestDatabase } from './database.js';
import { testKeys } from './seals.js';

/** A log over a database of the test file's own. Its keys are in a folder of its own. */
export interface TestAuditLog {
  readonly db: TestDatabase;
  readonly directory: string;
  readonly log: AuditLog;
  close(): Promise<void>;
}

/** The log of a database. Nobody is woken by it, and no replica is read. */
export const auditLogOver = (
  { uow, systemQuery }: Pick<TestDatabase, 'uow' | 'systemQuery'>,
  keyDirectory: string,
  noted: NotedEvidence = () => [],
): AuditLog =>
  createAudit({
    ...{ uow, noted, rows: createAuditStore(systemQuery) },
    jobs: { enqueue: () => Promise.resolve() },
    signingKeys: createSigningKeys(keyDirectory, testKeys().wrapping),
    reading: (work) => work(),
  });

export async function testAuditLog(): Promise<TestAuditLog> {
  const db = await testDatabase();
  const directory = await mkdtemp(join(tmpdir(), 'audit-log-'));
  return {
    db,
    directory,
    log: auditLogOver(db, directory),
    close: async () => {
      await db.close();
      await rm(directory, { recursive: true });
    },
  };
}
