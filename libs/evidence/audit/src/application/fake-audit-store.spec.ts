import { FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { describeAuditBacklog } from './audit-backlog.contract.js';
import { describeAuditEntries } from './audit-entries.contract.js';
import { describeAuditKeyHistory } from './audit-key-history.contract.js';
import type { AuditStore } from './audit-store.contract.js';
import { describeAuditTree } from './audit-tree.contract.js';
import { describeCheckpoints } from './checkpoints.contract.js';
import { fakeAuditStore } from './fake-audit-store.js';
import { describeLogFollowers } from './log-followers.contract.js';
import { describeLogProgress } from './log-progress.contract.js';
import { describePayloadRetention } from './payload-retention.contract.js';

const kept = fakeAuditStore(new FakeUnitOfWork());
const store = (): AuditStore => ({
  ...kept,
  age: (tenantId, id, days) => {
    kept.entries.age({ tenantId }, id, days);
    return Promise.resolve();
  },
  due: (tenantId) => Promise.resolve(kept.followers.due({ tenantId })),
  blocked: () => Promise.resolve(),
  close: () => Promise.resolve(),
});

describeAuditEntries('in memory', store);
describeAuditTree('in memory', store);
describeCheckpoints('in memory', store);
describeAuditKeyHistory('in memory', store);
describePayloadRetention('in memory', store);
describeAuditBacklog('in memory', store);
describeLogFollowers('in memory', store);
describeLogProgress('in memory', store);
