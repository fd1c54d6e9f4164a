import { Client } from 'pg';
import { somebodyWaits, testDatabase } from '../../../../../test/support/database.js';
import { describeAuditBacklog } from '../application/audit-backlog.contract.js';
import { describeAuditEntries } from '../application/audit-entries.contract.js';
import { describeAuditKeyHistory } from '../application/audit-key-history.contract.js';
import type { AuditStore } from '../application/audit-store.contract.js';
import { describeAuditTree } from '../application/audit-tree.contract.js';
import { describeCheckpoints } from '../application/checkpoints.contract.js';
import { describeLogFollowers } from '../application/log-followers.contract.js';
import { describeLogProgress } from '../application/log-progress.contract.js';
import { describePayloadRetention } from '../application/payload-retention.contract.js';
import type { LogFollowerId } from '../domain/ids.js';
import { SqlAuditBacklog } from './sql-audit-backlog.js';
import { SqlAuditEntries } from './sql-audit-entries.js';
import { SqlAuditTree } from './sql-audit-tree.js';
import { SqlLogFollowers } from './sql-log-followers.js';
import { TypeormAuditKeys } from './typeorm-audit-keys.js';
import { TypeormLogProgress } from './typeorm-log-progress.js';
import { SqlCheckpoints } from './sql-checkpoints.js';
import { SqlPayloadRetention } from './sql-payload-retention.js';

let opened: AuditStore | undefined;
const store = (): AuditStore => {
  if (opened === undefined) throw new Error('the store is not open');
  return opened;
};

beforeAll(async () => {
  const db = await testDatabase();
  // An entry never changes: only a session without triggers makes one older.
  const admin = new Client({ connectionString: db.adminUrl });
  await admin.connect();
  await admin.query('set session_replication_role = replica');
  opened = {
    uow: db.uow,
    entries: new SqlAuditEntries(),
    tree: new SqlAuditTree(),
    checkpoints: new SqlCheckpoints(),
    keys: new TypeormAuditKeys(),
    retention: new SqlPayloadRetention(),
    backlog: new SqlAuditBacklog(db.systemQuery),
    followers: new SqlLogFollowers(),
    progress: new TypeormLogProgress(),
    due: async (tenantId) => {
      // The database counts microseconds: a follower of this millisecond is due.
      const at = new Date(Date.now() + 1_000);
      const due = await db.systemQuery.call('log_follow_due', at, 1_000, [], []);
      return due.filter((each) => each.tenantId === tenantId).map(({ id }) => id as LogFollowerId);
    },
    age: async (tenantId, id, days) => {
      const older = 'update audit_entry set occurred_at = occurred_at - make_interval(days => $3)';
      await admin.query(`${older} where tenant_id = $1 and id = $2`, [tenantId, id, days]);
    },
    blocked: () => somebodyWaits(db.owner),
    close: async () => {
      await admin.end();
      await db.close();
    },
  };
});
afterAll(() => store().close());

describeAuditEntries('in PostgreSQL', store);
describeAuditTree('in PostgreSQL', store);
describeCheckpoints('in PostgreSQL', store);
describeAuditKeyHistory('in PostgreSQL', store);
describePayloadRetention('in PostgreSQL', store);
describeAuditBacklog('in PostgreSQL', store);
describeLogFollowers('in PostgreSQL', store);
describeLogProgress('in PostgreSQL', store);
