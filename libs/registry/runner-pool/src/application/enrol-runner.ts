import {
  err,
  newId,
  ok,
  type AuditSink,
  type Failure,
  type Result,
  type SecretDigests,
  type TenantId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import type { Runner } from '../domain/runner.js';
import { runnerActor } from './runner-actor.js';
import type { RunnerRepository } from './runner.ports.js';

/** A machine that became a runner, with the id of its key. */
export interface EnrolledRunner {
  readonly tenantId: TenantId;
  readonly runner: Runner;
  readonly keyId: string;
}

/**
 * Exchanges a one-time token for the registration of a machine's own public key. One key is registered. The same key
 * gets the same ids again within the token's hour, so a lost answer locks no machine out. Any other key is refused.
 */
export class EnrolRunner {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly runners: RunnerRepository,
    private readonly digests: SecretDigests,
    private readonly audit: AuditSink,
  ) {}

  /** @param publicKey Ed25519, base64url. Failure: `runner.enrolment_refused`. */
  async execute(
    token: string,
    { publicKey, version }: { readonly publicKey: string; readonly version: string },
  ): Promise<Result<EnrolledRunner>> {
    const located = await this.runners.locateEnrolment(await this.digests.candidates('runner_enrolment', token));
    if (located === null) return err(refused);
    return this.uow.run(located.tenantId, async (tx): Promise<Result<EnrolledRunner>> => {
      const enrolment = await this.runners.lockEnrolment(tx, located.id);
      const runner = enrolment === null ? null : await this.runners.find(tx, enrolment.runnerId, 'update');
      const now = await tx.now();
      if (enrolment === null || enrolment.expiresAt <= now || runner?.revokedAt !== null) return err(refused);
      if (enrolment.usedAt !== null) return this.#again(tx, runner, publicKey);
      const keyId = newId();
      await this.runners.markEnrolmentUsed(tx, enrolment.id, now);
      await this.runners.insertKey(tx, { id: keyId, runnerId: runner.id, publicKey, createdAt: now });
      await this.runners.markEnrolled(tx, runner.id, version, now);
      await this.audit.record(tx, {
        action: 'runner.enrolled',
        actor: runnerActor(runner),
        level: 'full',
        subject: { type: 'runner', id: runner.id },
        payload: { name: runner.name, pool: runner.pool, version, public_key: publicKey },
      });
      return ok({ tenantId: tx.tenantId, runner: { ...runner, enrolledAt: now, version }, keyId });
    });
  }

  /** The ids of the key that the token registered, as long as it counts. */
  async #again(tx: Tx, runner: Runner, publicKey: string): Promise<Result<EnrolledRunner>> {
    const [first] = await this.runners.keys(tx, runner.id);
    const key = first === undefined ? null : await this.runners.key(tx, first.id);
    if (key?.publicKey !== publicKey || key.revokedAt !== null) return err(refused);
    return ok({ tenantId: tx.tenantId, runner, keyId: key.id });
  }
}

/** One wording for every cause, so that it tells nothing. */
const refused: Failure = {
  kind: 'unauthenticated',
  code: 'runner.enrolment_refused',
  message:
    'This token enrols no runner. It is unknown, older than an hour, used for another key, or waits for a second person.',
  action: 'Have the change confirmed, or add the runner again: `countersign runner add`.',
};
