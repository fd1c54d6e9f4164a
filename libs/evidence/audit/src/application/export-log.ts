import type { LogExporter, TenantId, UnitOfWork } from '#lib/kernel';
import type { FollowLog } from './follow-log.js';
import type { LogFollowers } from './log-followers.port.js';

/** Sends the whole log of tenants by an exporter that a process is set up for. Any number of processes may do it at once. */
export class ExportLog {
  readonly name: string;

  /** @param follow knows the exporter. */
  constructor(
    private readonly uow: UnitOfWork,
    private readonly followers: Pick<LogFollowers, 'beginExport'>,
    private readonly follow: Pick<FollowLog, 'execute'>,
    { name }: LogExporter,
  ) {
    this.name = name;
  }

  /** One turn. A tenant that it has not sent yet begins with its first entry. @returns whether more entries wait. */
  async execute(tenantId: TenantId): Promise<boolean> {
    const id = await this.uow.run(tenantId, (tx) => this.followers.beginExport(tx, this.name));
    return this.follow.execute(tenantId, id);
  }
}
