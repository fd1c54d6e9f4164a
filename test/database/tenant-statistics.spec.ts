import { newId } from '#lib/kernel';
import { testDatabase, testServer, type TestDatabase } from '../support/database.js';

describe('plans of a new installation', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    // Not one that an earlier test filled: its tables have free space.
    db = await testDatabase(await testServer());
  });
  afterAll(() => db.close());

  // Each has further indexes that begin with the tenant.
  it.each(['run_step', 'step_attempt', 'decision', 'audit_entry', 'approval_request'])(
    'find a row of %s by its key, and not by its tenant',
    async (table) => {
      const { rows } = await db.owner.query<Record<'QUERY PLAN', string>>(
        `explain select from ${table} where tenant_id = '${newId()}' and id = '${newId()}'`,
      );
      expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/Index Cond: \(\(.*tenant_id = .*\(.*id = /);
    },
  );
});
