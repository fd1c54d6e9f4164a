import { LessThanOrEqual, MoreThan } from 'typeorm';
import { rowsOf, type RowOf } from '#lib/database';
import type { PersonId, Tx } from '#lib/kernel';
import type { StepUpId } from '#lib/identity';
import type { StepUpRepository } from '../application/mfa.ports.js';
import type { ProvedStepUp, StepUp, UsedStepUp } from '../domain/step-up.js';
import { stepUpEntity } from './mfa.entity.js';

const UNPROVED = { assertion: null, method: null, factorId: null, provedAt: null, proofExpiresAt: null, usedAt: null };

/** Step-ups in PostgreSQL. */
export class TypeormStepUpRepository implements StepUpRepository {
  async insert(tx: Tx, stepUp: StepUp): Promise<void> {
    const { personId, createdAt } = stepUp;
    const stepUps = rowsOf(tx, stepUpEntity);
    await stepUps.delete({ personId, state: 'open', expiresAt: LessThanOrEqual(createdAt) });
    await stepUps.insert({ ...UNPROVED, ...stepUp });
  }

  async lock(tx: Tx, id: StepUpId): Promise<StepUp | null> {
    const row = await rowsOf(tx, stepUpEntity).findOne({ id }, { lock: 'no key update' });
    return row && stepUpOf(row);
  }

  async find(tx: Tx, id: StepUpId): Promise<StepUp | null> {
    const row = await rowsOf(tx, stepUpEntity).findOne({ id });
    return row && stepUpOf(row);
  }

  async spendChallenge(tx: Tx, id: StepUpId): Promise<void> {
    await rowsOf(tx, stepUpEntity).update({ id }, { challenge: null });
  }

  async save(tx: Tx, stepUp: ProvedStepUp | UsedStepUp): Promise<void> {
    const { id, state, method, factorId, assertion, provedAt, proofExpiresAt } = stepUp;
    const usedAt = stepUp.state === 'used' ? stepUp.usedAt : null;
    const proof = { method, factorId, assertion, provedAt, proofExpiresAt, usedAt };
    await rowsOf(tx, stepUpEntity).update({ id }, { state, challenge: null, ...proof });
  }

  async expireProofs(tx: Tx, personId: PersonId, at: number): Promise<void> {
    const unexpired = { personId, state: 'proved', proofExpiresAt: MoreThan(at) } as const;
    await rowsOf(tx, stepUpEntity).update(unexpired, { proofExpiresAt: at });
  }
}

/** @throws {Error} if a row breaks a promise of the table's constraints. */
function stepUpOf(row: RowOf<typeof stepUpEntity>): StepUp {
  const { state, method, factorId, assertion, provedAt, proofExpiresAt, usedAt, ...facts } = row;
  if (state === 'open') return { ...facts, state };
  if (method === null || provedAt === null || proofExpiresAt === null)
    throw new Error(`step_up ${row.id} is ${state} and lacks what belongs to it`);
  const proof = { method, factorId, assertion, provedAt, proofExpiresAt };
  return usedAt === null ? { ...facts, ...proof, state: 'proved' } : { ...facts, ...proof, state: 'used', usedAt };
}
