import {
  actorOf,
  err,
  notFound,
  ok,
  type AuditSink,
  type PersonPrincipal,
  type Result,
  type UnitOfWork,
} from '#lib/kernel';
import type { CollectorStore } from './siem.ports.js';

/** Sets the bearer token that the collector is shown, or removes it. It is never shown again. Failure: `resource.not_found`. */
export class SetCollectorToken {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly collectors: Pick<CollectorStore, 'find' | 'lockForChange' | 'saveToken'>,
    private readonly audit: AuditSink,
  ) {}

  /** @param token printable ASCII; null removes it. */
  execute(by: PersonPrincipal, token: string | null): Promise<Result<null>> {
    return this.uow.run(by.tenantId, async (tx) => {
      await this.collectors.lockForChange(tx);
      const collector = await this.collectors.find(tx);
      if (collector === null) return err(notFound('SIEM collector'));
      await this.collectors.saveToken(tx, collector.id, token);
      await this.audit.record(tx, {
        action: token === null ? 'siem_collector.token_removed' : 'siem_collector.token_set',
        actor: actorOf(by),
        level: 'full',
        subject: { type: 'siem_collector', id: collector.id },
        payload: {},
      });
      return ok(null);
    });
  }
}
