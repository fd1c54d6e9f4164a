import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { StepUpId } from '../domain/ids.js';
import {
  digestOf,
  err,
  newId,
  ok,
  type EvidenceRef,
  type PersonId,
  type Result,
  type TenantId,
  type Tx,
} from '#lib/kernel';
import type { MfaProofs, SteppedUpOperation, TakenProof } from './mfa-proofs.js';

interface Proof {
  readonly personId: PersonId;
  readonly operation: SteppedUpOperation;
  readonly used: boolean;
}

const refused = (code: string) => err({ kind: 'forbidden', code, message: code, action: code } as const);

/** Second factors that were proved, each for one person and operation, good once. */
export class FakeMfaProofs implements MfaProofs {
  /** The evidence of each proof. */
  evidence: readonly EvidenceRef[] = [];
  readonly #proofs: FakeTable<Proof>;
  readonly #enrolled: FakeTable<true>;

  constructor(private readonly uow: FakeUnitOfWork) {
    this.#proofs = new FakeTable(uow);
    this.#enrolled = new FakeTable(uow);
  }

  enrol(tenantId: TenantId, personId: PersonId): void {
    this.#enrolled.of({ tenantId }).set(personId, true);
  }

  /** @returns the id of the step-up. */
  prove(tenantId: TenantId, personId: PersonId, operation: SteppedUpOperation): StepUpId {
    const id = newId<StepUpId>();
    this.#proofs.of({ tenantId }).set(id, { personId, operation, used: false });
    return id;
  }

  take(tx: Tx, { personId, stepUpId, operation }: Parameters<MfaProofs['take']>[1]): Promise<Result<TakenProof>> {
    const proof = this.#proofs.of(tx).get(stepUpId);
    if (proof === undefined) return Promise.resolve(refused('mfa.required'));
    if (proof.personId !== personId || !isSame(proof.operation, operation))
      return Promise.resolve(refused('mfa.other_operation'));
    if (proof.used) return Promise.resolve(refused('mfa.proof_used'));
    this.#proofs.of(tx).set(stepUpId, { ...proof, used: true });
    return Promise.resolve(ok({ method: 'totp', provedAt: this.uow.now, evidence: this.evidence }));
  }

  mfaState(tx: Tx, personId: PersonId): Promise<{ readonly enrolled: boolean }> {
    return Promise.resolve({ enrolled: this.#enrolled.of(tx).has(personId) });
  }
}

const isSame = (one: SteppedUpOperation, other: SteppedUpOperation): boolean =>
  digestOf('stepped-up-operation', one) === digestOf('stepped-up-operation', other);
