import {
  err,
  notFound,
  ok,
  tightening,
  type AuditSink,
  type LogFollowing,
  type PersonPrincipal,
  type Result,
  type TwoPersonRule,
  type UnitOfWork,
} from '#lib/kernel';
import { COLLECTOR_FOLLOWER } from './collector-sink.js';
import type { CollectorStore } from './siem.ports.js';

/** Removes the collector with its token, at once. Another one begins at the end of the log. Failure: `resource.not_found`. */
export class RemoveCollector {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly collectors: Pick<CollectorStore, 'find' | 'lockForChange' | 'remove'>,
    private readonly following: LogFollowing,
    private readonly twoPersonRule: TwoPersonRule,
    private readonly audit: AuditSink,
  ) {}

  execute(by: PersonPrincipal): Promise<Result<null>> {
    return this.uow.run(by.tenantId, async (tx) => {
      await this.collectors.lockForChange(tx);
      const collector = await this.collectors.find(tx);
      if (collector === null) return err(notFound('SIEM collector'));
      await this.collectors.remove(tx);
      await this.following.end(tx, COLLECTOR_FOLLOWER);
      const admitted = tightening(by);
      await this.twoPersonRule.outdate(tx, admitted, {
        kind: 'siem_collector',
        subjectId: collector.id,
        why: `The SIEM collector at ${collector.url} was removed meanwhile.`,
        base: () => null,
      });
      await this.audit.record(tx, {
        action: 'siem_collector.removed',
        actor: admitted.actor,
        level: 'full',
        subject: { type: 'siem_collector', id: collector.id },
        payload: { url: collector.url },
      });
      return ok(null);
    });
  }
}
