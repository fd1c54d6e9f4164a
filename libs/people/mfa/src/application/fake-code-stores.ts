import { newId, type PersonId, type Tx } from '#lib/kernel';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { NO_FAILURES, type Lockout } from '../domain/lockout.js';
import type {
  LockoutRepository,
  PasskeyRegistrationRepository,
  RecoveryCodeRepository,
  UnusedCode,
} from './mfa.ports.js';

/** Keeps lockouts in memory. */
export class FakeLockoutRepository implements LockoutRepository {
  readonly #lockouts: FakeTable<Lockout>;

  constructor(database: FakeUnitOfWork) {
    this.#lockouts = new FakeTable(database);
  }

  lock(tx: Tx, personId: PersonId): Promise<Lockout> {
    const lockout = this.#lockouts.of(tx).get(personId) ?? NO_FAILURES;
    this.#lockouts.of(tx).set(personId, lockout);
    return Promise.resolve(lockout);
  }

  save(tx: Tx, personId: PersonId, lockout: Lockout): Promise<void> {
    if (this.#lockouts.of(tx).has(personId)) this.#lockouts.of(tx).set(personId, lockout);
    return Promise.resolve();
  }
}

interface Code extends UnusedCode {
  readonly personId: PersonId;
  readonly unused: boolean;
}

/** Keeps recovery codes in memory. */
export class FakeRecoveryCodeRepository implements RecoveryCodeRepository {
  readonly #codes: FakeTable<Code>;

  constructor(database: FakeUnitOfWork) {
    this.#codes = new FakeTable(database);
  }

  unused(tx: Tx, personId: PersonId): Promise<readonly UnusedCode[]> {
    const theirs = [...this.#codes.of(tx).values()].filter((code) => code.unused && code.personId === personId);
    return Promise.resolve(theirs.map(({ id, digest }) => ({ id, digest })));
  }

  async replace(tx: Tx, personId: PersonId, digests: readonly Uint8Array[], at: number): Promise<void> {
    for (const { id } of await this.unused(tx, personId)) await this.markUsed(tx, id, at);
    for (const digest of digests) {
      const id = newId();
      this.#codes.of(tx).set(id, { id, digest, personId, unused: true });
    }
  }

  markUsed(tx: Tx, id: string, _at: number): Promise<void> {
    const code = this.#codes.of(tx).get(id);
    if (code !== undefined) this.#codes.of(tx).set(id, { ...code, unused: false });
    return Promise.resolve();
  }
}

type Registration = Parameters<PasskeyRegistrationRepository['insert']>[1];

/** Keeps challenges for new passkeys in memory. */
export class FakePasskeyRegistrationRepository implements PasskeyRegistrationRepository {
  readonly #registrations: FakeTable<Registration>;

  constructor(database: FakeUnitOfWork) {
    this.#registrations = new FakeTable(database);
  }

  insert(tx: Tx, registration: Registration): Promise<void> {
    this.#registrations.of(tx).set(newId(), registration);
    return Promise.resolve();
  }

  spend(tx: Tx, personId: PersonId, now: number): Promise<readonly string[]> {
    const theirs = [...this.#registrations.of(tx)].filter(([, kept]) => kept.personId === personId);
    for (const [id] of theirs) this.#registrations.of(tx).delete(id);
    return Promise.resolve(theirs.filter(([, { expiresAt }]) => expiresAt > now).map(([, { challenge }]) => challenge));
  }
}
