import type { FactorId, PersonId, Tx } from '#lib/kernel';
import { FakeRefusal, requireTransition } from '../../../../foundation/kernel/src/fake-refusal.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { FACTOR_TRANSITIONS } from '../domain/factor-transitions.js';
import { isPasskey, type Factor, type PasskeyFactor, type TotpFactor } from '../domain/factor.js';
import type { EnrolledPasskey } from '../domain/passkey-enrolment.js';
import type { FactorRepository } from './mfa.ports.js';

interface Kept {
  readonly factor: Factor;
  readonly removed: boolean;
}

/** Keeps factors in memory. */
export class FakeFactorRepository implements FactorRepository {
  readonly #factors: FakeTable<Kept>;

  constructor(database: FakeUnitOfWork) {
    this.#factors = new FakeTable(database);
  }

  async insert(tx: Tx, factor: Factor): Promise<void> {
    requireTransition(FACTOR_TRANSITIONS, '', factor.state);
    if (this.#factors.of(tx).has(factor.id)) throw new FakeRefusal('23505', 'factor_pk');
    if (isPasskey(factor) && (await this.passkeyKnown(tx, factor.passkeyId)))
      throw new FakeRefusal('23505', 'factor_passkey_unique');
    this.#refuseSecondTotp(tx, factor);
    this.#factors.of(tx).set(factor.id, { factor, removed: false });
  }

  list(tx: Tx, personId: PersonId): Promise<readonly Factor[]> {
    const theirs = this.#sorted(tx).filter(({ factor, removed }) => !removed && factor.personId === personId);
    return Promise.resolve(theirs.map(({ factor }) => factor));
  }

  enrolled(tx: Tx, id: FactorId): Promise<EnrolledPasskey | null> {
    const factor = this.#factors.of(tx).get(id)?.factor;
    return Promise.resolve(factor !== undefined && isPasskey(factor) ? enrolledOf(factor) : null);
  }

  passkeys(tx: Tx, personId: PersonId | null): Promise<readonly EnrolledPasskey[]> {
    const all = this.#sorted(tx).flatMap(({ factor, removed }) => (!removed && isPasskey(factor) ? [factor] : []));
    return Promise.resolve(all.filter((factor) => personId === null || factor.personId === personId).map(enrolledOf));
  }

  confirm(tx: Tx, { id, confirmedAt }: TotpFactor): Promise<void> {
    const kept = this.#factors.of(tx).get(id);
    if (kept === undefined || kept.removed || kept.factor.kind !== 'totp' || kept.factor.state !== 'pending') {
      return Promise.resolve();
    }
    const factor: TotpFactor = { ...kept.factor, state: 'active', confirmedAt };
    this.#refuseSecondTotp(tx, factor);
    this.#factors.of(tx).set(id, { ...kept, factor });
    return Promise.resolve();
  }

  saveUse(tx: Tx, used: Factor): Promise<void> {
    const kept = this.#factors.of(tx).get(used.id);
    const taken =
      kept === undefined ||
      (used.kind === 'totp' &&
        kept.factor.kind === 'totp' &&
        kept.factor.lastStep !== null &&
        kept.factor.lastStep >= (used.lastStep ?? 0));
    if (taken) return Promise.reject(new Error(`factor ${used.id} was used by somebody else meanwhile`));
    const { factor } = kept;
    const { lastUsedAt } = used;
    if (factor.kind === 'totp' && used.kind === 'totp')
      this.#factors.of(tx).set(factor.id, { ...kept, factor: { ...factor, lastUsedAt, lastStep: used.lastStep } });
    if (factor.kind === 'passkey' && used.kind === 'passkey') {
      const { counter, backedUp } = used;
      this.#factors.of(tx).set(factor.id, { ...kept, factor: { ...factor, lastUsedAt, counter, backedUp } });
    }
    return Promise.resolve();
  }

  remove(tx: Tx, id: FactorId): Promise<void> {
    const kept = this.#factors.of(tx).get(id);
    if (kept !== undefined) this.#factors.of(tx).set(id, { ...kept, removed: true });
    return Promise.resolve();
  }

  passkeyKnown(tx: Tx, passkeyId: string): Promise<boolean> {
    const all = [...this.#factors.of(tx).values()];
    return Promise.resolve(all.some(({ factor }) => isPasskey(factor) && factor.passkeyId === passkeyId));
  }

  #sorted(tx: Tx): readonly Kept[] {
    return [...this.#factors.of(tx).values()].sort(
      ({ factor: a }, { factor: b }) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1),
    );
  }

  #refuseSecondTotp(tx: Tx, { id, kind, state, personId }: Factor): void {
    const second = [...this.#factors.of(tx).values()].some(
      ({ factor, removed }) =>
        !removed &&
        kind === 'totp' &&
        factor.kind === 'totp' &&
        factor.id !== id &&
        factor.personId === personId &&
        factor.state === state,
    );
    if (second) throw new FakeRefusal('23505', 'factor_totp_unique');
  }
}

const enrolledOf = ({ id, personId, name, passkeyId, publicKey, site, createdAt }: PasskeyFactor): EnrolledPasskey => ({
  id,
  personId,
  name,
  passkeyId,
  publicKey,
  site,
  createdAt,
});
