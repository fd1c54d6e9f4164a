import {
  createConnection,
  createConnectionStore,
  type ConnectionDeps,
  type ConnectionStore,
  type Receiver,
} from '#lib/connection';
import type { LogExporter, LogFollowing, LogProgress, TenantId } from '#lib/kernel';
import type { KeyWrapping, SealedElsewhere } from '#lib/tenancy';
import type { ReportedCalls } from '#lib/webhook';
import { OcsfFile } from './adapters/ocsf-file.js';
import { siemCollectorEntity } from './adapters/siem.entity.js';
import { COLLECTOR_FOLLOWER, CollectorSink } from './application/collector-sink.js';
import { ExportOcsf } from './application/export-ocsf.js';
import { FollowLog } from './application/follow-log.js';
import { FILE_FOLLOWER, ReadProgress } from './application/read-progress.js';
import type { OcsfSink } from './application/siem.ports.js';
import { SIEM_COLLECTOR, type CollectorSettings } from './domain/collector.js';

/** The stored collectors of tenants, over PostgreSQL. */
export const createCollectorStore = (wrapping: KeyWrapping): ConnectionStore<CollectorSettings> & SealedElsewhere =>
  createConnectionStore(SIEM_COLLECTOR, siemCollectorEntity, wrapping);

/** A file of the operator. */
export const createOcsfFile = (path: string): OcsfSink => new OcsfFile(path);

export interface SiemDeps extends Omit<ConnectionDeps<CollectorSettings>, 'work'> {
  readonly following: LogFollowing;
  readonly progress: LogProgress;
  readonly calls: ReportedCalls;
  readonly receiver: Receiver;
  readonly fileAt: (path: string) => OcsfSink;
  /** The name of a tenant in addresses. */
  readonly slugOf: (tenantId: TenantId) => Promise<string>;
}

/** Exports of the audit log. */

export function createSiem({ following, progress, calls, receiver, fileAt, slugOf, ...deps }: SiemDeps) {
  const { uow, connections } = deps;
  const exporter = (name: string, sink: OcsfSink): LogExporter => new ExportOcsf(name, uow, calls, slugOf, sink);
  return {
    /** The collector of each tenant. */
    collector: createConnection(SIEM_COLLECTOR, { ...deps, work: new FollowLog(following, progress) }),
    toCollector: exporter(COLLECTOR_FOLLOWER, new CollectorSink(uow, connections, receiver)),
    /** Exports all tenants to a file of the operator. */
    toFile: (path: string): LogExporter => exporter(FILE_FOLLOWER, fileAt(path)),
    readProgress: new ReadProgress(uow, progress),
  };
}
