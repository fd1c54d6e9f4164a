import type { Json } from '#lib/canonical';
import { isUuid, type EvidenceRef, type Tx } from '#lib/kernel';
import type { StepUpId } from '#lib/identity';
import { enrolmentDocument } from '../domain/passkey-enrolment.js';
import { assertionDocument } from '../domain/step-up.js';
import type { FactorRepository, StepUpRepository } from './mfa.ports.js';

/** Hands out the signatures of passkeys, as entries of a pack fixed them, each with the enrolment of its key. */
export class ProofEvidence {
  readonly section = 'mfa';

  constructor(
    private readonly stepUps: StepUpRepository,
    private readonly factors: FactorRepository,
  ) {}

  async resolve(tx: Tx, refs: readonly EvidenceRef[]): Promise<readonly EvidenceOfProof[]> {
    const found: EvidenceOfProof[] = [];
    for (const { kind, id } of refs) {
      if (kind !== 'passkey-assertion' || !isUuid(id)) continue;
      // It has the form of an id. Only a step-up is found by it.
      const stepUp = await this.stepUps.find(tx, id as StepUpId);
      const document = stepUp === null || stepUp.state === 'open' ? null : assertionDocument(stepUp);
      if (stepUp === null || stepUp.state === 'open' || document === null) continue;
      found.push({ kind, id, document });
      const passkey = stepUp.factorId === null ? null : await this.factors.enrolled(tx, stepUp.factorId);
      const enrolment = passkey === null ? null : enrolmentDocument(passkey);
      if (passkey !== null && enrolment !== null) found.push({ kind: 'passkey', id: passkey.id, document: enrolment });
    }
    return found;
  }
}

interface EvidenceOfProof {
  readonly kind: 'passkey-assertion' | 'passkey';
  readonly id: string;
  readonly document: Json;
}
