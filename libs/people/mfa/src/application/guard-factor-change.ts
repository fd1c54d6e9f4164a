import { type MfaProofs, type SteppedUpOperation, proofRequired } from '#lib/identity';
import { err, ok, type PersonPrincipal, type Result, type Tx } from '#lib/kernel';
import { isActive, type Factor } from '../domain/factor.js';
import { signInAgain } from '../domain/refusals.js';

/** How long after a sign-in a person may enrol their first factor. A stranger at an open browser session enrols none later. */
const RECENT_MS = 900_000;

/**
 * Whether a person may change their factors: the first after a recent sign-in, every later change with a proof. If the
 * tenant has no issuer, a credential that may review suffices for the first.
 */
export class GuardFactorChange {
  constructor(private readonly proofs: MfaProofs) {}

  /** Failures: `sign_in.not_fresh`, `mfa.required`, and those of {@link MfaProofs.take}. */
  async check(
    tx: Tx,
    by: PersonPrincipal,
    about: {
      readonly factors: readonly Factor[];
      readonly operation: SteppedUpOperation;
      readonly stepUpId: string | undefined;
    },
  ): Promise<Result<void>> {
    if (!about.factors.some(isActive)) {
      const { signedInAt } = by;
      if (signedInAt === null) return ok(undefined);
      const recent = signedInAt !== 'never' && (await tx.now()) - signedInAt <= RECENT_MS;
      return recent ? ok(undefined) : err(signInAgain);
    }
    if (about.stepUpId === undefined) return err(proofRequired('This', about.operation));
    const { operation, stepUpId } = about;
    const proof = await this.proofs.take(tx, { personId: by.personId, stepUpId, operation });
    return proof.ok ? ok(undefined) : proof;
  }
}
