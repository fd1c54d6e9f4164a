import {
  actorOf,
  err,
  notFound,
  ok,
  type AuditSink,
  type LogProgress,
  type PersonPrincipal,
  type Result,
  type UnitOfWork,
} from '#lib/kernel';
import { COLLECTOR_FOLLOWER } from './collector-sink.js';
import type { CollectorStore } from './siem.ports.js';

/**
 * Sends the collector a test: an entry of the log, which comes to it after those that wait. A failed turn is tried again at once.
 * Failure: `resource.not_found`.
 */
export class TestCollector {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly collectors: Pick<CollectorStore, 'find'>,
    private readonly progress: LogProgress,
    private readonly audit: AuditSink,
  ) {}

  execute(by: PersonPrincipal): Promise<Result<null>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const collector = await this.collectors.find(tx);
      if (collector === null) return err(notFound('SIEM collector'));
      await this.audit.record(tx, {
        action: 'siem_collector.tested',
        actor: actorOf(by),
        level: 'full',
        subject: { type: 'siem_collector', id: collector.id },
        payload: { url: collector.url },
      });
      await this.progress.retryNow(tx, COLLECTOR_FOLLOWER);
      return ok(null);
    });
  }
}
