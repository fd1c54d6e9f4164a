import { newId, type FactorId, type PersonId, type Tx } from '#lib/kernel';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { LeftBehind } from './identity.ports.js';
import type { PasskeyKeeper } from './passkey-keeper.js';

/** Keeps the fingerprints of passkeys in memory. */
export class FakePasskeyKeeper implements PasskeyKeeper {
  readonly #passkeys: FakeTable<{ readonly id: FactorId; readonly personId: PersonId; readonly fingerprint: string }>;

  constructor(database: FakeUnitOfWork) {
    this.#passkeys = new FakeTable(database);
  }

  add(tx: Pick<Tx, 'tenantId'>, personId: PersonId, fingerprint: string): FactorId {
    const id = newId<FactorId>();
    this.#passkeys.of(tx).set(id, { id, personId, fingerprint });
    return id;
  }

  find(tx: Tx, personId: PersonId, fingerprint: string): Promise<FactorId | null> {
    const found = this.#of(tx, personId).find((passkey) => passkey.fingerprint === fingerprint);
    return Promise.resolve(found?.id ?? null);
  }

  keepOnly(tx: Tx, personId: PersonId, { kept }: Parameters<PasskeyKeeper['keepOnly']>[2]): Promise<number> {
    const others = this.#of(tx, personId).filter(({ id }) => id !== kept);
    for (const { id } of others) this.#passkeys.of(tx).delete(id);
    return Promise.resolve(others.length);
  }

  #of(tx: Tx, personId: PersonId) {
    return [...this.#passkeys.of(tx).values()].filter((passkey) => passkey.personId === personId);
  }
}

interface Left {
  readonly delegations: number;
  readonly browsers: number;
}

const NOTHING: Left = { delegations: 0, browsers: 0 };

/** Counts delegations and push subscriptions in memory. */
export class FakeLeftBehind implements LeftBehind {
  /** The last end of each person's delegations: its author and time. */
  readonly ends = new Map<PersonId, Parameters<LeftBehind['endDelegations']>[2]>();
  readonly #left: FakeTable<Left>;

  constructor(database: FakeUnitOfWork) {
    this.#left = new FakeTable(database);
  }

  leave(tx: Pick<Tx, 'tenantId'>, personId: PersonId, left: Left): void {
    this.#left.of(tx).set(personId, left);
  }

  endDelegations(tx: Tx, personId: PersonId, end: Parameters<LeftBehind['endDelegations']>[2]): Promise<number> {
    this.ends.set(personId, end);
    return this.#end(tx, personId, 'delegations');
  }

  endBrowsers(tx: Tx, personId: PersonId): Promise<number> {
    return this.#end(tx, personId, 'browsers');
  }

  #end(tx: Tx, personId: PersonId, what: keyof Left): Promise<number> {
    const left = this.#left.of(tx).get(personId) ?? NOTHING;
    this.leave(tx, personId, { ...left, [what]: 0 });
    return Promise.resolve(left[what]);
  }
}
