import type { Actor, AuditSink, TenantId, Tx, UnitOfWork } from '#lib/kernel';
import { originOf, parseCheckpoint, sameBytes } from '#lib/verifier';
import type { CheckpointPublisher, CheckpointStore } from './audit.ports.js';

const system: Actor = {
  kind: 'system',
  id: 'audit-publisher',
  display_name: 'audit-publisher',
  credential_id: null,
  on_behalf_of: null,
};

export type PublicationResult = 'nothing_new' | 'published' | 'refused';

/**
 * Puts the tenant's latest checkpoint outside. A smaller one is not published: the larger covers it. If the
 * outside holds more than this database does, or something else, history was rewritten or a backup restored. That is
 * recorded as critical and never overwritten.
 */
export class PublishCheckpoint {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly checkpoints: CheckpointStore,
    private readonly publisher: CheckpointPublisher,
    private readonly audit: AuditSink,
  ) {}

  /** @throws if the destination can't be reached. */
  async execute(tenantId: TenantId): Promise<PublicationResult> {
    const checkpoint = await this.uow.run(tenantId, (tx) => this.checkpoints.latest(tx));
    if (checkpoint?.publishedAt !== null) return 'nothing_new';
    const { epoch, treeSize, note } = checkpoint;
    const answer = await this.publisher.publish(originOf(tenantId, epoch), treeSize, note);
    return this.uow.run(tenantId, async (tx) => {
      if (answer.outcome === 'published') {
        await this.checkpoints.markPublished(
          tx,
          { epoch, treeSize, elsewhere: this.publisher.elsewhere },
          await tx.now(),
        );
        return 'published';
      }
      if (await this.#isOurs(tx, epoch, answer.held)) return 'nothing_new';
      await this.audit.record(tx, {
        action: 'audit_checkpoint.publication_refused',
        actor: system,
        level: 'critical',
        subject: { type: 'audit_epoch', id: String(epoch) },
        payload: { why: answer.outcome, ours: note, held_outside: answer.held },
      });
      return 'refused';
    });
  }

  /** Another worker may have been quicker with a larger checkpoint of the very same log. */
  async #isOurs(tx: Tx, epoch: number, held: string): Promise<boolean> {
    const outside = parseCheckpoint(held)?.checkpoint;
    if (outside?.origin !== originOf(tx.tenantId, epoch)) return false;
    const inside = await this.checkpoints.ofSize(tx, epoch, outside.treeSize);
    return inside !== null && sameBytes(inside.rootHash, outside.rootHash);
  }
}
