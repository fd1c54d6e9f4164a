import { FailureError, type Failure, type TenantId, type UnitOfWork } from '#lib/kernel';
import { originOf, parseCheckpoint, sameBytes } from '#lib/verifier';
import type { AuditTreeStore, PublishedCheckpoints, CheckpointStore } from './audit.ports.js';

/**
 * Compares a tenant's log with the checkpoints outside. If this log has not signed a checkpoint outside, the database
 * lost the end of the log. A promoted standby or a restored backup may lack it. Then nothing of the tenant goes on.
 *
 * A log that lost its end and grew again is found, too. It has no checkpoint of that size, or one with another root.
 */
export class CheckAgainstOutside {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly tree: Pick<AuditTreeStore, 'head'>,
    private readonly checkpoints: CheckpointStore,
    private readonly destinations: readonly PublishedCheckpoints[],
  ) {}

  /** @throws {FailureError} `audit.log_shortened`, `audit.outside_unreachable`. */
  async execute(tenantId: TenantId): Promise<void> {
    const epoch = await this.uow.run(tenantId, async (tx) => (await this.tree.head(tx))?.epoch ?? 1);
    // The lost end of the log may have been the start of the next epoch.
    const compared = [epoch, epoch + 1].flatMap((each) =>
      this.destinations.map((destination) => this.#compare(tenantId, each, destination)),
    );
    await Promise.all(compared);
  }

  async #compare(tenantId: TenantId, epoch: number, destination: PublishedCheckpoints): Promise<void> {
    const origin = originOf(tenantId, epoch);
    const held = await destination.held(origin).catch((cause: unknown) => {
      throw new FailureError(unreachable, { cause });
    });
    if (held === null) return;
    const outside = parseCheckpoint(held)?.checkpoint;
    const inside =
      outside?.origin === origin
        ? await this.uow.run(tenantId, (tx) => this.checkpoints.ofSize(tx, epoch, outside.treeSize))
        : null;
    if (outside === undefined || inside === null || !sameBytes(inside.rootHash, outside.rootHash))
      throw new FailureError(shortened(epoch, outside?.treeSize ?? null));
  }
}

const shortened = (epoch: number, held: number | null): Failure => ({
  kind: 'unavailable',
  code: 'audit.log_shortened',
  message: `A published checkpoint holds ${held === null ? 'something else than' : `${String(held)} entries of`} epoch ${String(epoch)} of this organisation’s audit log, and the database does not have that checkpoint. It lost the end of the log.`,
  action:
    'Nothing of the organisation goes on until the operator starts a new epoch. Run on the server: countersign restored --tenant SLUG --reason TEXT.',
});

const unreachable: Failure = {
  kind: 'unavailable',
  code: 'audit.outside_unreachable',
  message: 'The audit log cannot be compared with its published checkpoints: their destination does not answer.',
  action: 'Retry; the operator sees that COUNTERSIGN_CHECKPOINT_DIRECTORY or COUNTERSIGN_CHECKPOINT_URL answers.',
  retryAfterSeconds: 2,
};
