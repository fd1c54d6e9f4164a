import type { FollowerProgress, LogProgress, TenantId, UnitOfWork } from '#lib/kernel';
import { COLLECTOR_FOLLOWER } from './collector-sink.js';

/** The name under which the export to the operator's file follows each log. */
export const FILE_FOLLOWER = 'ocsf_file';

/** Reads how far each export of a log is. */
export class ReadProgress {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly progress: Pick<LogProgress, 'of'>,
  ) {}

  /** @returns null without a collector. */
  collector(tenantId: TenantId): Promise<FollowerProgress | null> {
    return this.uow.run(tenantId, (tx) => this.progress.of(tx, COLLECTOR_FOLLOWER));
  }

  /** @returns null if the operator exports to no file. */
  file(tenantId: TenantId): Promise<FollowerProgress | null> {
    return this.uow.run(tenantId, (tx) => this.progress.of(tx, FILE_FOLLOWER));
  }
}
