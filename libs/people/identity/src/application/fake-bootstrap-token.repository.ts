import { newId, type TenantId, type Tx } from '#lib/kernel';
import { FakeRefusal } from '../../../../foundation/kernel/src/fake-refusal.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { BootstrapTokenRepository } from './identity.ports.js';

/** The table is global: all tenants read it as one. */
const GLOBAL = { tenantId: newId<TenantId>() };

const keyOf = (digest: Uint8Array): string => Buffer.from(digest).toString('hex');

/** Keeps bootstrap tokens in memory. */
export class FakeBootstrapTokenRepository implements BootstrapTokenRepository {
  /** By the digest. */
  readonly #tokens: FakeTable<{ readonly expiresAt: number; readonly used: boolean }>;

  constructor(private readonly database: FakeUnitOfWork) {
    this.#tokens = new FakeTable(database);
  }

  insert(_tx: Tx, token: { readonly digest: Uint8Array; readonly lifetimeMs: number }): Promise<number> {
    const [tokens, key] = [this.#tokens.of(GLOBAL), keyOf(token.digest)];
    if (tokens.has(key)) throw new FakeRefusal('23505', 'bootstrap_token_pk');
    const expiresAt = this.database.now + token.lifetimeMs;
    tokens.set(key, { expiresAt, used: false });
    return Promise.resolve(expiresAt);
  }

  use(_tx: Tx, digests: readonly Uint8Array[]): Promise<boolean> {
    const tokens = this.#tokens.of(GLOBAL);
    const good = digests.map(keyOf).filter((key) => {
      const token = tokens.get(key);
      return token?.used === false && token.expiresAt > this.database.now;
    });
    for (const key of good) tokens.set(key, { expiresAt: 0, used: true });
    return Promise.resolve(good.length === 1);
  }
}
