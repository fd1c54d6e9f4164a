import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { auditLog } from '#lib/audit';
import { testDatabase, type TestDatabase } from './database.js';
import { testKeys } from './seals.js';

/** A log over a database of the test file's own. Its keys are in a folder of its own. */
export interface TestAuditLog {
  readonly db: TestDatabase;
  readonly directory: string;
  readonly log: ReturnType<typeof auditLog>;
  close(): Promise<void>;
}

export async function testAuditLog(): Promise<TestAuditLog> {
  const db = await testDatabase();
  const directory = await mkdtemp(join(tmpdir(), 'audit-log-'));
  return {
    db,
    directory,
    log: auditLog({
      uow: db.uow,
      systemQuery: db.systemQuery,
      jobs: { enqueue: () => Promise.resolve() },
      keyDirectory: directory,
      wrapping: testKeys().wrapping,
      noted: () => [],
    }),
    close: async () => {
      await db.close();
      await rm(directory, { recursive: true });
    },
  };
}
