import { generateKeyPairSync } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import {
  KEY_PUBLICATION_LEAD_MS,
  newestKey,
  publishedKeys,
  signingKey,
  type GrantKeyRecord,
} from '../domain/grant-key.js';
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

interface PublicSet {
  readonly keys: readonly PublishedJwk[];
}

/** Chooses the key that signs, publishes the set, and rotates it. */
export class GrantKeyring {
  #cached: { readonly key: SigningKey; readonly until: number } | null = null;
  #reading: Promise<PublicSet> | null = null;

  constructor(
    private readonly store: GrantKeyStore,
    private readonly monotonicMs: () => number = () => performance.now(),
  ) {}

  /** The key that signs now; the very first one is made here. */
  async current(): Promise<SigningKey> {
    if (this.#cached !== null && this.monotonicMs() < this.#cached.until) return this.#cached.key;
    let { keys, now } = await this.store.list();
    if (signingKey(keys, now) === null) {
      await this.#add(null, null);
      ({ keys, now } = await this.store.list());
    }
    const chosen = signingKey(keys, now);
    if (chosen === null) throw new Error('no grant key is active although one was just made');
    const key = await this.store.privateKey(chosen.kid);
    this.#cached = { key, until: this.monotonicMs() + CACHE_MS };
    return key;
  }

  /** Makes the next key: published at once, used after {@link KEY_PUBLICATION_LEAD_MS}. Of several at once one is made. */
  async rotate(): Promise<{ readonly kid: string; readonly activeFrom: number }> {
    await this.current();
    const { keys, now } = await this.store.list();
    await this.#succeed(newestKey(keys), now);
    const newest = newestKey((await this.store.list()).keys);
    if (newest === null) throw new Error('there is no grant key although one was just made');
    return { kid: newest.kid, activeFrom: newest.activeFrom };
  }

  /** Rotates if the newest key has signed for longer than this; several processes that see so make one key. */
  async rotateIfOlderThan(ageMs: number): Promise<void> {
    const { keys, now } = await this.store.list();
    const newest = newestKey(keys);
    if (newest !== null && now - newest.activeFrom > ageMs) await this.#succeed(newest, now);
  }

  /** The key set of `/.well-known/jwks.json` (RFC 7517). Anybody may ask: those who ask at the same time share one transaction. */
  publicSet(): Promise<PublicSet> {
    this.#reading ??= this.#readPublicSet().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #readPublicSet(): Promise<PublicSet> {
    await this.current();
    const { keys, now } = await this.store.list();
    return {
      keys: publishedKeys(keys, now).map((key) => ({ ...key.publicJwk, kid: key.kid, alg: 'EdDSA', use: 'sig' })),
    };
  }

  async #succeed(newest: GrantKeyRecord | null, now: number): Promise<void> {
    await this.#add(now + KEY_PUBLICATION_LEAD_MS, newest?.kid ?? null);
  }

  async #add(activeFrom: number | null, after: string | null): Promise<void> {
    const pair = generateKeyPairSync('ed25519');
    const { kty, crv, x } = pair.publicKey.export({ format: 'jwk' });
    if (kty === undefined || crv === undefined || x === undefined)
      throw new Error('Node exported an Ed25519 key without its members');
    const publicJwk: GrantKeyRecord['publicJwk'] = { kty, crv, x };
    const kid = await calculateJwkThumbprint(publicJwk);
    const privateKey = pair.privateKey.export({ format: 'der', type: 'pkcs8' });
    await this.store.add({ kid, publicJwk, privateKey }, activeFrom, after);
  }
}
