import {
  err,
  notFound,
  ok,
  type FollowerProgress,
  type LogProgress,
  type Result,
  type TenantId,
  type UnitOfWork,
} from '#lib/kernel';
import type { Collector } from '../domain/collector.js';
import { COLLECTOR_FOLLOWER } from './collector-sink.js';
import type { CollectorStore } from './siem.ports.js';

/** The name under which the export to the operator's file follows each log. */
export const FILE_FOLLOWER = 'ocsf_file';

/** A collector, and how far it is. */
interface CollectorSeen {
  readonly collector: Collector;
  readonly progress: FollowerProgress | null;
}

/** Reads the collector, without its token, and how far each export is. Failure: `resource.not_found`. */
export class ReadCollector {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly collectors: Pick<CollectorStore, 'find'>,
    private readonly progress: LogProgress,
  ) {}

  execute(tenantId: TenantId): Promise<Result<CollectorSeen>> {
    return this.uow.run(tenantId, async (tx) => {
      const collector = await this.collectors.find(tx);
      if (collector === null) return err(notFound('SIEM collector'));
      return ok({ collector, progress: await this.progress.of(tx, COLLECTOR_FOLLOWER) });
    });
  }

  /** @returns null if the operator exports to no file. */
  file(tenantId: TenantId): Promise<FollowerProgress | null> {
    return this.uow.run(tenantId, (tx) => this.progress.of(tx, FILE_FOLLOWER));
  }
}
