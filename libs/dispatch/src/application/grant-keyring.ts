import { generateKeyPairSync } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import { KEY_PUBLICATION_LEAD_MS, publishedKeys, signingKey, type GrantKeyRecord } from '../domain/grant-key.js';
import type { GrantKeyStore, SigningKey } from './grant.ports.js';

/** A member of the published key set (RFC 8037 section 2). */
export interface PublishedJwk {
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  readonly kid: string;
  readonly alg: 'EdDSA';
  readonly use: 'sig';
}

/** How old the cached list of keys may be; far below the lead with which a new key is published. */
const CACHE_MS = 30_000;

/** Chooses the key that signs, publishes the set, and rotates it. */
export class GrantKeyring {
  private cached: { readonly key: SigningKey; readonly until: number } | null = null;

  constructor(
    private readonly store: GrantKeyStore,
    private readonly monotonicMs: () => number = () => performance.now(),
  ) {}

  /** The key that signs now; the very first one is made here. */
  async current(): Promise<SigningKey> {
    if (this.cached !== null && this.monotonicMs() < this.cached.until) return this.cached.key;
    let { keys, now } = await this.store.list();
    if (signingKey(keys, now) === null) {
      await this.add(null);
      ({ keys, now } = await this.store.list());
    }
    const chosen = signingKey(keys, now);
    if (chosen === null) throw new Error('no grant key is active although one was just made');
    const key = await this.store.privateKey(chosen.kid);
    this.cached = { key, until: this.monotonicMs() + CACHE_MS };
    return key;
  }

  /** Makes the next key: published at once, used after {@link KEY_PUBLICATION_LEAD_MS}. */
  async rotate(): Promise<{ readonly kid: string; readonly activeFrom: number }> {
    await this.current();
    const { now } = await this.store.list();
    const activeFrom = now + KEY_PUBLICATION_LEAD_MS;
    return { kid: await this.add(activeFrom), activeFrom };
  }

  /** The key set of `/.well-known/jwks.json` (RFC 7517). */
  async publicSet(): Promise<{ readonly keys: readonly PublishedJwk[] }> {
    await this.current();
    const { keys, now } = await this.store.list();
    return {
      keys: publishedKeys(keys, now).map((key) => ({ ...key.publicJwk, kid: key.kid, alg: 'EdDSA', use: 'sig' })),
    };
  }

  private async add(activeFrom: number | null): Promise<string> {
    const pair = generateKeyPairSync('ed25519');
    const { kty, crv, x } = pair.publicKey.export({ format: 'jwk' });
    if (kty === undefined || crv === undefined || x === undefined)
      throw new Error('Node exported an Ed25519 key without its members');
    const publicJwk: GrantKeyRecord['publicJwk'] = { kty, crv, x };
    const kid = await calculateJwkThumbprint(publicJwk);
    const privateKey = pair.privateKey.export({ format: 'der', type: 'pkcs8' });
    await this.store.add({ kid, publicJwk, privateKey }, activeFrom);
    return kid;
  }
}
