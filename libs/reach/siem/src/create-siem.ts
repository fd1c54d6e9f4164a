import { createConnection, createConnectionStore, createReceiver, type ConnectionDeps } from '#lib/connection';
import type { LogExporter, LogFollowing, LogProgress, TenantId } from '#lib/kernel';
import type { AllowedPrivateHosts } from '#lib/outbound';
import type { Keys } from '#lib/tenancy';
import type { ReportedCalls } from '#lib/webhook';
import { OcsfFile } from './adapters/ocsf-file.js';
import { siemCollectorEntity } from './adapters/siem.entity.js';
import { COLLECTOR_FOLLOWER, CollectorSink } from './application/collector-sink.js';
import { ExportOcsf } from './application/export-ocsf.js';
import { FollowLog } from './application/follow-log.js';
import { FILE_FOLLOWER, ReadProgress } from './application/read-progress.js';
import type { OcsfSink } from './application/siem.ports.js';
import { SIEM_COLLECTOR, type CollectorSettings } from './domain/collector.js';

export interface SiemDeps extends Omit<ConnectionDeps<CollectorSettings>, 'connections' | 'work'> {
  readonly keys: Pick<Keys, 'wrapping'>;
  readonly following: LogFollowing;
  readonly progress: LogProgress;
  readonly calls: ReportedCalls;
  readonly allowedPrivateHosts: AllowedPrivateHosts;
  /** By which the operator names a tenant there. */
  readonly slugOf: (tenantId: TenantId) => Promise<string>;
}

/** Exports of the audit log. */
export type Siem = ReturnType<typeof createSiem>;

export function createSiem({ keys, following, progress, calls, allowedPrivateHosts, slugOf, ...deps }: SiemDeps) {
  const { uow } = deps;
  const connections = createConnectionStore(SIEM_COLLECTOR, siemCollectorEntity, keys.wrapping);
  const exporter = (name: string, sink: OcsfSink): LogExporter => new ExportOcsf(name, uow, calls, slugOf, sink);
  const receiver = createReceiver(allowedPrivateHosts, slugOf);
  return {
    staleTokens: connections,
    /** The collector of each tenant. */
    collector: createConnection(SIEM_COLLECTOR, { ...deps, connections, work: new FollowLog(following, progress) }),
    toCollector: exporter(COLLECTOR_FOLLOWER, new CollectorSink(uow, connections, receiver)),
    /** Exports all tenants to a file of the operator. */
    toFile: (path: string): LogExporter => exporter(FILE_FOLLOWER, new OcsfFile(path)),
    readProgress: new ReadProgress(uow, progress),
  };
}
