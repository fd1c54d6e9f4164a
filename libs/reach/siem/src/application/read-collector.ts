import { err, notFound, ok, type Result, type TenantId, type UnitOfWork } from '#lib/kernel';
import type { Collector } from '../domain/collector.js';
import type { CollectorStore } from './siem.ports.js';

/** Reads the collector, without its token. Failure: `resource.not_found`. */
export class ReadCollector {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly collectors: Pick<CollectorStore, 'find'>,
  ) {}

  execute(tenantId: TenantId): Promise<Result<Collector>> {
    return this.uow.run(tenantId, async (tx) => {
      const collector = await this.collectors.find(tx);
      return collector === null ? err(notFound('SIEM collector')) : ok(collector);
    });
  }
}
