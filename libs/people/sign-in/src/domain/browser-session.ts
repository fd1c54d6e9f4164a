import type { CredentialId } from '#lib/kernel';

/** A browser session ends so many milliseconds after it was opened, even if it is in use. Its credential says how long it may rest. */
export const BROWSER_SESSION_LIFETIME_MS = 12 * 60 * 60_000;

/** How long a browser may take at the issuer, in milliseconds. */
export const SIGN_IN_LIFETIME_MS = 10 * 60_000;

/** The browser that somebody comes in with. */
export interface ComingBrowser {
  /** How it calls itself; kept up to 500 characters. */
  readonly userAgent: string;
  /** The network address that it comes from. */
  readonly address: string;
}

/** A browser in which somebody is signed in. Times are epoch milliseconds. */
export interface BrowserSession {
  /** The credential it is. */
  readonly id: CredentialId;
  /** The issuer at which they signed in; null for a passkey of ours. */
  readonly issuerName: string | null;
  /** The passkey that they signed in with; null for an issuer. */
  readonly passkeyName: string | null;
  readonly userAgent: string;
  /** The network address that it was opened from. */
  readonly address: string;
  readonly authenticatedAt: number;
  readonly createdAt: number;
  /** To the minute. */
  readonly lastUsedAt: number | null;
  readonly expiresAt: number;
}
