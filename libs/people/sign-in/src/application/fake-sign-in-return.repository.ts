import type { Tx } from '#lib/kernel';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { SignInReturn, SignInReturnRepository } from './sign-in.ports.js';

const KEPT_MS = 60 * 60_000;

/** Keeps returns of sign-ins in memory. */
export class FakeSignInReturnRepository implements SignInReturnRepository {
  readonly #returns: FakeTable<SignInReturn>;

  constructor(private readonly database: FakeUnitOfWork) {
    this.#returns = new FakeTable(database);
  }

  useUp(tx: Tx, back: SignInReturn): Promise<boolean> {
    const rows = this.#returns.of(tx);
    for (const [id, { expiresAt }] of [...rows]) if (expiresAt < this.database.now - KEPT_MS) rows.delete(id);
    const sameState = (one: SignInReturn): boolean => Buffer.from(one.stateDigest).equals(back.stateDigest);
    if (rows.has(back.id) || [...rows.values()].some(sameState)) return Promise.resolve(false);
    rows.set(back.id, back);
    return Promise.resolve(true);
  }
}
