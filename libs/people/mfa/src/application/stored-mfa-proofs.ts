import type { MfaProofs, SteppedUpOperation, TakenProof, StepUpId } from '#lib/identity';
import { digestOf, isUuid, ok, type PersonId, type Result, type Tx } from '#lib/kernel';
import { isActive } from '../domain/factor.js';
import { assertionDocument, decideTake } from '../domain/step-up.js';
import type { FactorRepository, StepUpRepository } from './mfa.ports.js';

/** Proofs as rows: used up by the transaction of the operation they were proved for. */
export class StoredMfaProofs implements MfaProofs {
  constructor(
    private readonly stepUps: StepUpRepository,
    private readonly factors: FactorRepository,
  ) {}

  async take(
    tx: Tx,
    wanted: { readonly personId: PersonId; readonly stepUpId: string; readonly operation: SteppedUpOperation },
  ): Promise<Result<TakenProof>> {
    // It has the form of an id. Only a step-up is found by it.
    const stepUp = isUuid(wanted.stepUpId) ? await this.stepUps.lock(tx, wanted.stepUpId as StepUpId) : null;
    const used = decideTake(stepUp, wanted, await tx.now());
    if (!used.ok) return used;
    await this.stepUps.save(tx, used.value);
    const { id, method, provedAt } = used.value;
    const document = assertionDocument(used.value);
    const kind = 'passkey-assertion' as const;
    const evidence = document === null ? [] : [{ kind, id, digest: digestOf(kind, document) }];
    return ok({ method, provedAt, evidence });
  }

  async mfaState(tx: Tx, personId: PersonId): Promise<{ readonly enrolled: boolean }> {
    return { enrolled: (await this.factors.list(tx, personId)).some(isActive) };
  }
}
