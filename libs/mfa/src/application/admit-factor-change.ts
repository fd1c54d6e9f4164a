import {
  err,
  ok,
  type MfaProofs,
  type PersonPrincipal,
  type Result,
  type SteppedUpOperation,
  type Tx,
} from '#lib/kernel';
import { isActive, type Factor } from '../domain/factor.js';
import { required, scopeMissing } from '../domain/refusals.js';

/** Whether a person may change their factors: the first with a credential that may review, every later change with a proof. */
export class AdmitFactorChange {
  constructor(private readonly proofs: MfaProofs) {}

  /** Failures: `credential.scope_missing`, `mfa.required`, and those of {@link MfaProofs.take}. */
  async admit(
    tx: Tx,
    by: PersonPrincipal,
    about: {
      readonly factors: readonly Factor[];
      readonly operation: SteppedUpOperation;
      readonly stepUpId: string | undefined;
    },
  ): Promise<Result<void>> {
    if (!about.factors.some(isActive)) return by.scopes.includes('review') ? ok(undefined) : err(scopeMissing);
    if (about.stepUpId === undefined) return err(required(about.operation));
    const { operation, stepUpId } = about;
    const proof = await this.proofs.take(tx, { personId: by.personId, stepUpId, operation });
    return proof.ok ? ok(undefined) : proof;
  }
}
