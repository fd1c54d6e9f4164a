import {
  err,
  notFound,
  ok,
  tightening,
  type AuditSink,
  type PersonPrincipal,
  type Result,
  type TwoPersonRule,
  type UnitOfWork,
} from '#lib/kernel';
import type { EmbedderStore } from './embedder.ports.js';

/** Removes the embedder with its token, at once. Failure: `resource.not_found`. */
export class RemoveEmbedder {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly embedders: Pick<EmbedderStore, 'find' | 'lockForChange' | 'remove'>,
    private readonly twoPersonRule: TwoPersonRule,
    private readonly audit: AuditSink,
  ) {}

  execute(by: PersonPrincipal): Promise<Result<null>> {
    return this.uow.run(by.tenantId, async (tx) => {
      await this.embedders.lockForChange(tx);
      const embedder = await this.embedders.find(tx);
      if (embedder === null) return err(notFound('embedder'));
      await this.embedders.remove(tx);
      const admitted = tightening(by);
      await this.twoPersonRule.outdate(tx, admitted, {
        kind: 'embedder',
        subjectId: embedder.id,
        why: `The embedder at ${embedder.url} was removed meanwhile.`,
        base: () => null,
      });
      await this.audit.record(tx, {
        action: 'embedder.removed',
        actor: admitted.actor,
        level: 'full',
        subject: { type: 'embedder', id: embedder.id },
        payload: { url: embedder.url },
      });
      return ok(null);
    });
  }
}
