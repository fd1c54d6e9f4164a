import { err, newId, ok, type AuditSink, type Result, type UnitOfWork } from '#lib/kernel';
import { runnerActor } from './runner-actor.js';
import { runnerRevoked } from './runner-revoked.js';
import type { RunnerRepository } from './runner.ports.js';
import type { ProvenRunner } from './verify-proof.js';

/**
 * Registers a new key, which the old one signs in. The old key counts until the runner first uses the new one. So a
 * lost answer locks no runner out. A repetition gets the same id.
 *
 * Failure: `runner.revoked`, if the runner or the old key was revoked since the proof was verified.
 */
export class RotateRunnerKey {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly runners: RunnerRepository,
    private readonly audit: AuditSink,
  ) {}

  /** @returns the id of the new key. */
  async execute({ tenantId, runner, keyId }: ProvenRunner, publicKey: string): Promise<Result<string>> {
    return this.uow.run(tenantId, async (tx): Promise<Result<string>> => {
      const standing = await this.runners.find(tx, runner.id, 'update');
      if (standing?.revokedAt !== null) return err(runnerRevoked);
      const live = (await this.runners.keys(tx, runner.id)).filter(({ revokedAt }) => revokedAt === null);
      if (!live.some(({ id }) => id === keyId)) return err(runnerRevoked);
      const same = live.find((key) => key.publicKey === publicKey);
      if (same !== undefined) return ok(same.id);
      const now = await tx.now();
      const unused = live.filter(({ id }) => id !== keyId).map(({ id }) => id);
      if (unused.length > 0) await this.runners.revokeKeys(tx, unused, now);
      const id = newId();
      await this.runners.insertKey(tx, { id, runnerId: runner.id, publicKey, createdAt: now });
      await this.audit.record(tx, {
        action: 'runner.key_rotated',
        actor: runnerActor(runner),
        level: 'full',
        subject: { type: 'runner', id: runner.id },
        payload: { name: runner.name, public_key: publicKey, signed_in_by: keyId },
      });
      return ok(id);
    });
  }
}
