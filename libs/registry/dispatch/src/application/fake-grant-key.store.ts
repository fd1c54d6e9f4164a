import { newestKey, type GrantKeyRecord } from '../domain/grant-key.js';
import type { GrantKeyStore, SigningKey } from './grant.ports.js';

/** Keeps grant keys in memory, by the clock of the fake database. */
export class FakeGrantKeyStore implements GrantKeyStore {
  #keys: readonly (GrantKeyRecord & SigningKey)[] = [];

  constructor(private readonly clock: { readonly now: number }) {}

  list(): Promise<{ readonly keys: readonly GrantKeyRecord[]; readonly now: number }> {
    const keys = this.#keys.map(({ kid, publicJwk, activeFrom }) => ({ kid, publicJwk, activeFrom }));
    return Promise.resolve({ keys, now: this.clock.now });
  }

  privateKey(kid: string): Promise<SigningKey> {
    const found = this.#keys.find((key) => key.kid === kid);
    if (found === undefined) return Promise.reject(new Error(`There is no grant key ${kid}.`));
    return Promise.resolve({ kid, privateKey: found.privateKey });
  }

  add(
    key: Pick<GrantKeyRecord, 'publicJwk'> & SigningKey,
    activeFrom: number | null,
    after: string | null,
  ): Promise<void> {
    if ((newestKey(this.#keys)?.kid ?? null) === after)
      this.#keys = [...this.#keys, { ...key, activeFrom: activeFrom ?? this.clock.now }];
    return Promise.resolve();
  }
}
