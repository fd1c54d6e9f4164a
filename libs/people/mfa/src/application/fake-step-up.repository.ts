import type { PersonId, Tx } from '#lib/kernel';
import type { StepUpId } from '#lib/identity';
import { FakeRefusal, requireTransition } from '../../../../foundation/kernel/src/fake-refusal.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { STEP_UP_TRANSITIONS } from '../domain/step-up-transitions.js';
import type { ProvedStepUp, StepUp, UsedStepUp } from '../domain/step-up.js';
import type { StepUpRepository } from './mfa.ports.js';

/** Keeps step-ups in memory. */
export class FakeStepUpRepository implements StepUpRepository {
  readonly #stepUps: FakeTable<StepUp>;

  constructor(database: FakeUnitOfWork) {
    this.#stepUps = new FakeTable(database);
  }

  insert(tx: Tx, stepUp: StepUp): Promise<void> {
    requireTransition(STEP_UP_TRANSITIONS, '', stepUp.state);
    if (this.#stepUps.of(tx).has(stepUp.id)) throw new FakeRefusal('23505', 'step_up_pk');
    for (const [id, { personId, state, expiresAt }] of [...this.#stepUps.of(tx)]) {
      const ranOut = state === 'open' && expiresAt <= stepUp.createdAt;
      if (ranOut && personId === stepUp.personId) this.#stepUps.of(tx).delete(id);
    }
    this.#stepUps.of(tx).set(stepUp.id, stepUp);
    return Promise.resolve();
  }

  lock(tx: Tx, id: StepUpId): Promise<StepUp | null> {
    return this.find(tx, id);
  }

  find(tx: Tx, id: StepUpId): Promise<StepUp | null> {
    return Promise.resolve(this.#stepUps.of(tx).get(id) ?? null);
  }

  spendChallenge(tx: Tx, id: StepUpId): Promise<void> {
    const stepUp = this.#stepUps.of(tx).get(id);
    if (stepUp !== undefined) this.#stepUps.of(tx).set(id, { ...stepUp, challenge: null });
    return Promise.resolve();
  }

  async save(tx: Tx, stepUp: ProvedStepUp | UsedStepUp): Promise<void> {
    const kept = await this.find(tx, stepUp.id);
    if (kept === null) return;
    requireTransition(STEP_UP_TRANSITIONS, kept.state, stepUp.state);
    this.#stepUps.of(tx).set(stepUp.id, { ...stepUp, challenge: null });
  }

  expireProofs(tx: Tx, personId: PersonId, at: number): Promise<void> {
    for (const [id, stepUp] of [...this.#stepUps.of(tx)]) {
      if (stepUp.personId === personId && stepUp.state === 'proved' && stepUp.proofExpiresAt > at)
        this.#stepUps.of(tx).set(id, { ...stepUp, proofExpiresAt: at });
    }
    return Promise.resolve();
  }
}
