/** A signing key as it is chosen and published. Times are epoch milliseconds. */
export interface GrantKeyRecord {
  readonly kid: string;
  readonly publicJwk: { readonly kty: string; readonly crv: string; readonly x: string };
  readonly activeFrom: number;
}

/** How long the key set may be cached by those who read it. */
export const JWKS_MAX_AGE_SECONDS = 300;

/** A new key is published this long before it signs: twice as long as a reader may cache. */
export const KEY_PUBLICATION_LEAD_MS = 2 * JWKS_MAX_AGE_SECONDS * 1_000;

/** How long after its successor took over a key stays published; grants live 60 seconds. */
const KEY_RETIREMENT_MS = 3_600_000;

/** The key that signs now: the newest active one; null before there is one. */
export function signingKey(keys: readonly GrantKeyRecord[], now: number): GrantKeyRecord | null {
  return keys.filter((key) => key.activeFrom <= now).sort((a, b) => b.activeFrom - a.activeFrom)[0] ?? null;
}

/** The key that was made last, whether or not it signs yet; null before there is one. */
export function newestKey(keys: readonly GrantKeyRecord[]): GrantKeyRecord | null {
  return keys.toSorted((a, b) => b.activeFrom - a.activeFrom || (a.kid < b.kid ? -1 : 1))[0] ?? null;
}

/** The keys to publish: future ones, the one in use, and former ones with grants that may still be checked. */
export function publishedKeys(keys: readonly GrantKeyRecord[], now: number): readonly GrantKeyRecord[] {
  const successorOf = (key: GrantKeyRecord): number =>
    Math.min(...keys.filter((other) => other.activeFrom > key.activeFrom).map((other) => other.activeFrom));
  return keys.filter((key) => now < successorOf(key) + KEY_RETIREMENT_MS);
}
