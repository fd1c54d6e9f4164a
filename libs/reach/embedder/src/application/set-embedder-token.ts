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
import type { EmbedderStore } from './embedder.ports.js';

/** Sets the bearer token that the embedder is shown, or removes it. It is never shown again. Failure: `resource.not_found`. */
export class SetEmbedderToken {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly embedders: Pick<EmbedderStore, 'find' | 'lockForChange' | 'lookNow' | 'saveToken'>,
    private readonly audit: AuditSink,
  ) {}

  /** @param token printable ASCII; null removes it. */
  execute(by: PersonPrincipal, token: string | null): Promise<Result<null>> {
    return this.uow.run(by.tenantId, async (tx) => {
      await this.embedders.lockForChange(tx);
      const embedder = await this.embedders.find(tx);
      if (embedder === null) return err(notFound('embedder'));
      await this.embedders.saveToken(tx, embedder.id, token);
      await this.embedders.lookNow(tx, embedder.id);
      await this.audit.record(tx, {
        action: token === null ? 'embedder.token_removed' : 'embedder.token_set',
        actor: actorOf(by),
        level: 'full',
        subject: { type: 'embedder', id: embedder.id },
        payload: {},
      });
      return ok(null);
    });
  }
}
