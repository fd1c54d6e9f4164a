import { FakeJobQueue } from '../../../../foundation/kernel/src/fake-ports.js';
import type { FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { FakeAuditEntries, FakePayloadRetention } from './fake-audit-entries.js';
import { FakeAuditKeys } from './fake-audit-keys.js';
import { FakeAuditBacklog, FakeAuditTree } from './fake-audit-tree.js';
import { FakeCheckpoints } from './fake-checkpoints.js';
import { FakeLogFollowers } from './fake-log-followers.js';
import { FakeLogProgress } from './fake-log-progress.js';

/** The ports that keep the log, in memory. */
export function fakeAuditStore(uow: FakeUnitOfWork) {
  const entries = new FakeAuditEntries(uow);
  const keys = new FakeAuditKeys(uow);
  const checkpoints = new FakeCheckpoints(uow, keys);
  const tree = new FakeAuditTree(uow, entries, checkpoints);
  const jobs = new FakeJobQueue(uow);
  const followers = new FakeLogFollowers(uow, entries, tree, jobs, (tx) => checkpoints.epochOf(tx));
  const backlog = new FakeAuditBacklog(entries, tree, checkpoints, (tenantId, exporter) =>
    followers.exports({ tenantId }, exporter),
  );
  const retention = new FakePayloadRetention(uow, entries);
  const progress = new FakeLogProgress(followers);
  return { uow, entries, keys, checkpoints, tree, backlog, followers, progress, jobs, retention };
}
