import type {
  AuditSink,
  LogExporter,
  LogFollowing,
  LogProgress,
  TenantId,
  TwoPersonRule,
  UnitOfWork,
} from '#lib/kernel';
import type { AllowedPrivateHosts } from '#lib/outbound';
import type { Keys } from '#lib/tenancy';
import { HttpsReceiver, SqlReportedCalls } from '#lib/webhook';
import { OcsfFile } from './adapters/ocsf-file.js';
import { SqlCollectors } from './adapters/sql-collectors.js';
import { ChangeCollector } from './application/change-collector.js';
import { COLLECTOR_FOLLOWER, CollectorSink } from './application/collector-sink.js';
import { ExportOcsf } from './application/export-ocsf.js';
import { FILE_FOLLOWER, ReadCollector } from './application/read-collector.js';
import { RemoveCollector } from './application/remove-collector.js';
import { SetCollectorToken } from './application/set-collector-token.js';
import { TestCollector } from './application/test-collector.js';
import type { MayConnect, OcsfSink } from './application/siem.ports.js';

export interface SiemDeps {
  readonly uow: UnitOfWork;
  readonly keys: Pick<Keys, 'wrapping'>;
  readonly audit: AuditSink;
  readonly twoPersonRule: TwoPersonRule;
  readonly following: LogFollowing;
  readonly progress: LogProgress;
  readonly allowedPrivateHosts: AllowedPrivateHosts;
  /** By which the operator names a tenant there. */
  readonly slugOf: (tenantId: TenantId) => Promise<string>;
  readonly mayConnect: MayConnect;
}

/** Exports of the audit log. */
export type Siem = ReturnType<typeof createSiem>;

export function createSiem({ uow, keys, audit, twoPersonRule, following, progress, mayConnect, ...deps }: SiemDeps) {
  const collectors = new SqlCollectors(keys.wrapping);
  const calls = new SqlReportedCalls();
  const exporter = (name: string, sink: OcsfSink): LogExporter => new ExportOcsf(name, uow, calls, deps.slugOf, sink);
  const client = new HttpsReceiver(deps.allowedPrivateHosts, deps.slugOf);
  return {
    staleTokens: collectors,
    collector: exporter(COLLECTOR_FOLLOWER, new CollectorSink(uow, collectors, client)),
    changeCollector: new ChangeCollector(uow, { collectors, following, mayConnect, twoPersonRule, audit }),
    setCollectorToken: new SetCollectorToken(uow, collectors, audit),
    removeCollector: new RemoveCollector(uow, collectors, following, twoPersonRule, audit),
    readCollector: new ReadCollector(uow, collectors, progress),
    testCollector: new TestCollector(uow, collectors, progress, audit),
    /** Exports all tenants to a file of the operator. */
    toFile: (path: string): LogExporter => exporter(FILE_FOLLOWER, new OcsfFile(path)),
  };
}
