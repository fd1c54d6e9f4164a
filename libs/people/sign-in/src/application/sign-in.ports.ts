import type { CredentialId, FactorId, PersonId, PersonPrincipal, Result, TenantId, Tx } from '#lib/kernel';
import type { WrappedBytes } from '#lib/tenancy';
import type { IssuerStanding } from '../domain/issuer-standing.js';
import type { Issuer, IssuerClaims, IssuerDescription, SignInSettings } from '../domain/issuer.js';
import type { BrowserSession, ComingBrowser } from '../domain/browser-session.js';

/** How the people of a tenant sign in, and its issuers. */
export interface SignInSettingsRepository {
  read(tx: Tx): Promise<SignInSettings>;
  /** Locks the settings against every other change of them. */
  lock(tx: Tx): Promise<SignInSettings>;
  /** Writes revision, limits and issuers; those that are no longer named are taken out of service. */
  save(
    tx: Tx,
    settings: Omit<SignInSettings, 'issuers'> & { readonly issuers: readonly IssuerDescription[] },
    by: PersonId,
  ): Promise<void>;
  /** Keeps the people who vouch for an issuer from now on. */
  keepStanding(
    tx: Tx,
    standing: { readonly issuerId: string; readonly how: IssuerStanding; readonly personId: PersonId },
  ): Promise<void>;
  /** The people who vouch for it; null if nothing is kept. */
  standing(tx: Tx, issuerId: string): Promise<{ readonly how: IssuerStanding; readonly personId: PersonId } | null>;
  /** One in service. */
  issuer(tx: Tx, id: string): Promise<Issuer | null>;
}

/** Finds a tenant for somebody who is not signed in yet. */
export interface TenantDirectory {
  bySlug(slug: string): Promise<TenantId | null>;
  /** Whether the installation has a tenant at all. */
  any(): Promise<boolean>;
  /** The tenant of an installation that has just one. */
  only(): Promise<TenantId | null>;
}

/** A browser that came back. Times are epoch milliseconds. */
export interface SignInReturn {
  /** Of the sign-in. */
  readonly id: string;
  readonly issuerId: string;
  readonly stateDigest: Uint8Array;
  readonly browserDigest: Uint8Array;
  readonly expiresAt: number;
}

/** Which sign-ins came back already. */
export interface SignInReturnRepository {
  /** Forgets those that expired, too. @returns false if this sign-in came back before. */
  useUp(tx: Tx, back: SignInReturn): Promise<boolean>;
}

/** The person behind a subject of an issuer. */
export interface ExternalIdentity {
  readonly id: string;
  readonly personId: PersonId;
  readonly bearerCredentialId: CredentialId | null;
}

export interface ExternalIdentityRepository {
  /** Locks the subject: no other transaction reads or writes it until this one ends. */
  lockSubject(tx: Tx, issuerId: string, subject: string): Promise<ExternalIdentity | null>;
  insert(
    tx: Tx,
    identity: { readonly id: string; readonly issuerId: string; readonly subject: string; readonly personId: PersonId },
  ): Promise<void>;
  hasIdentityAt(tx: Tx, personId: PersonId, issuerId: string): Promise<boolean>;
  /** Takes down a sign-in of the identity and its person, never back in time. */
  markSignedIn(tx: Tx, identity: ExternalIdentity, at: number): Promise<void>;
  /** With the digest of the credential that stands for its access tokens. Null if it has none that is not expired. */
  forBearer(
    tx: Tx,
    issuerId: string,
    subject: string,
  ): Promise<{ readonly identity: ExternalIdentity; readonly credentialDigest: Uint8Array | null } | null>;
  setBearerCredential(tx: Tx, identityId: string, credentialId: CredentialId): Promise<void>;
  forgetRevokedBearer(tx: Tx, identityId: string): Promise<void>;
  /** When the person last signed in at one of these issuers, by its word, that is in service. Null for never. */
  signedInAtOneOf(tx: Tx, personId: PersonId, issuerUrls: readonly string[]): Promise<number | null>;
}

/** When somebody last signed in and came in, and how long that counts in the tenant. */
export interface SignInStanding {
  /** The database's clock, epoch milliseconds like the others. */
  readonly now: number;
  readonly signedInAt: PersonPrincipal['signedInAt'];
  readonly cameInAt: number | null;
  /** Whether an issuer in service knows the person. */
  readonly atIssuer: boolean;
  readonly reauthenticateAfterMinutes: number;
  readonly dormantAfterDays: number;
}

/** Null for a person who is not the tenant's. */
export interface SignInStandings {
  /** Outside a transaction. */
  read(tenantId: TenantId, personId: PersonId): Promise<SignInStanding | null>;
  readWithin(tx: Tx, personId: PersonId): Promise<SignInStanding | null>;
}

export interface BrowserSessionRepository {
  insert(
    tx: Tx,
    browserSession: {
      readonly id: CredentialId;
      /** Null for a passkey of ours. */
      readonly identityId: string | null;
      /** The passkey that opened it; null for a sign-in at an issuer. */
      readonly factorId: FactorId | null;
      readonly csrfToken: string;
      readonly browser: ComingBrowser;
      readonly authenticatedAt: number;
      readonly idToken: WrappedBytes | null;
    },
  ): Promise<void>;
  /** Remembers the token in use as the previous one. @returns false if the credential is no live browser session. */
  rotate(tx: Tx, id: CredentialId): Promise<boolean>;
  csrfToken(tx: Tx, id: CredentialId): Promise<string | null>;
  /** A person's own, those that are not over. */
  list(tx: Tx, personId: PersonId): Promise<BrowserSession[]>;
  find(tx: Tx, personId: PersonId, id: CredentialId): Promise<BrowserSession | null>;
  /** The data that signing out at the issuer takes. */
  signOutOf(
    tx: Tx,
    id: CredentialId,
  ): Promise<{ readonly issuerId: string | null; readonly idToken: WrappedBytes | null } | null>;
}

/** An issuer together with Countersign's client credentials at it. */
export interface IssuerClient {
  readonly tenantId: TenantId;
  readonly issuer: IssuerDescription;
  /** Null for a public client. */
  readonly clientSecret: string | null;
}

/** The values that a browser takes to an issuer, and has to bring back. */
export interface SignInChecks {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly maxAgeSeconds: number | null;
}

/** Talks OpenID Connect. Every address it connects to passes the outbound address guard. */
export interface IssuerGateway {
  /** `issuer.unreachable` if the issuer does not describe itself as it should. */
  check(client: IssuerClient): Promise<Result<void>>;
  /** Reads its description and its keys anew, believing nothing that was read before. @returns how many keys it has. */
  countKeys(client: IssuerClient): Promise<Result<number>>;
  authorizationUrl(
    client: IssuerClient,
    request: SignInChecks & { readonly redirectUri: string; readonly prompt: 'login' | null },
  ): Promise<Result<string>>;
  /** Exchanges the code and verifies the ID token (OpenID Connect Core section 3.1.3.7). */
  redeem(
    client: IssuerClient,
    callbackUrl: string,
    checks: SignInChecks,
  ): Promise<Result<{ readonly claims: IssuerClaims; readonly idToken: string }>>;
  /** The address at which to sign out at the issuer; null if it offers nothing. */
  signOutUrl(client: IssuerClient, idToken: string, backTo: string): Promise<string | null>;
  /** Verifies an access token (RFC 9068). @returns its subject. */
  verifyBearer(client: IssuerClient, token: string, audience: string): Promise<Result<string>>;
}

/** Resolves an access token of an issuer to its caller. */
export interface IssuerTokenAuthenticator {
  authenticate(token: string): Promise<Result<PersonPrincipal>>;
}
