import type { Actor, AuditSink, TenantId, Tx, UnitOfWork } from '#lib/kernel';
import type { AuditTreeStore, CheckpointStore } from './audit.ports.js';

/** What else a restore means: grants refused, live runs to `unknown`. Done by whoever owns it, in the same transaction. */
export type EpochEffect = (tx: Tx, epoch: number) => Promise<void>;

export interface StartEpochCommand {
  readonly actor: Actor;
  /** Why, in words: which backup was restored, and on whose decision. */
  readonly reason: string;
  /** The last checkpoint that stands outside, as the operator holds it; null where there is none. */
  readonly lastPublished: string | null;
}

/**
 * Starts a new tree after a restore from a backup. The old one ends where the backup ends: its checkpoints outside that
 * are larger stay as the evidence of what was lost, and nobody can take the new tree for the old, since the epoch is
 * part of every checkpoint's origin. The entry that says so is the first to be sequenced after those that waited.
 */
export class StartEpoch {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly tree: AuditTreeStore,
    private readonly checkpoints: CheckpointStore,
    private readonly audit: AuditSink,
    private readonly effects: readonly EpochEffect[],
  ) {}

  /** The new epoch. */
  async execute(tenantId: TenantId, { actor, reason, lastPublished }: StartEpochCommand): Promise<number> {
    return this.unitOfWork.run(tenantId, async (tx) => {
      await this.tree.lock(tx);
      const now = await tx.now();
      const before = await this.tree.head(tx);
      const last = before === null ? null : await this.checkpoints.latest(tx, before.epoch);
      const epoch = (before?.epoch ?? 0) + 1;
      await this.tree.startEpoch(tx, epoch, now, reason);
      for (const effect of this.effects) await effect(tx, epoch);
      await this.audit.record(tx, {
        action: 'audit_epoch.started',
        actor,
        level: 'critical',
        subject: { type: 'audit_epoch', id: String(epoch) },
        payload: { epoch, reason, restored_checkpoint: last?.note ?? null, last_published_checkpoint: lastPublished },
      });
      return epoch;
    });
  }
}
