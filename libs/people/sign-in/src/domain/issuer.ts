import type { Scope } from '#lib/kernel';

/** Signature algorithms an issuer's tokens may have: with a public key only. Neither `none` nor a shared secret. */
export type Algorithm =
  | 'RS256'
  | 'RS384'
  | 'RS512'
  | 'PS256'
  | 'PS384'
  | 'PS512'
  | 'ES256'
  | 'ES384'
  | 'ES512'
  | 'EdDSA'
  | 'Ed25519';

/** A person with `value` in the issuer's claim holds `role`. */
export interface RoleMapping {
  readonly value: string;
  readonly role: string;
}

/** The subjects that become people at their first sign-in: those with a mapped role, all of the issuer, or none. */
export type Provision = 'mapped' | 'anybody' | 'nobody';

/** An OpenID Connect issuer as a tenant describes it. */
export interface IssuerDescription {
  /** For addresses: a DNS label. */
  readonly name: string;
  readonly displayName: string;
  /** The issuer identifier, exactly as its tokens spell it. */
  readonly url: string;
  readonly clientId: string;
  /** The tenant's secret that holds the client secret, `name@version`; null for a public client. */
  readonly clientSecret: string | null;
  readonly algorithms: readonly Algorithm[];
  /** Asked for besides openid, profile and email. */
  readonly extraScopes: readonly string[];
  readonly rolesClaim: string;
  readonly roleMappings: readonly RoleMapping[];
  readonly provision: Provision;
  /** A first sign-in with the verified e-mail address of a person who is there is theirs. */
  readonly linkByVerifiedEmail: boolean;
  /** The scopes of this issuer's access tokens; empty refuses the tokens. */
  readonly bearerScopes: readonly Scope[];
}

/** An OpenID Connect provider of a tenant, as it is kept. */
export interface Issuer extends IssuerDescription {
  readonly id: string;
}

/** How the people of a tenant sign in. */
export interface SignInSettings {
  /** 0 before the first settings. */
  readonly revision: number;
  /** How old a sign-in may be for a review or an administrative action. */
  readonly reauthenticateAfterMinutes: number;
  /** Whether also those who never signed in at an issuer have to, before they review or administer. */
  readonly signInRequired: boolean;
  /** Days without a sign-in after which a person unknown to every issuer stops reviewing. */
  readonly dormantAfterDays: number;
  /** The time limit of a browser session, even if it is in use; a change holds for later sign-ins. */
  readonly browserSessionMinutes: number;
  /** How long one may rest. */
  readonly browserSessionIdleMinutes: number;
  /** Those in service. */
  readonly issuers: readonly Issuer[];
}

export const DEFAULT_REAUTHENTICATE_AFTER_MINUTES = 720;

/** An issuer's claims about a person who signed in. Times are epoch milliseconds. */
export interface IssuerClaims {
  readonly subject: string;
  readonly email: string | null;
  readonly emailVerified: boolean | null;
  readonly displayName: string | null;
  /** The values of the issuer's roles claim. */
  readonly groups: readonly string[];
  /** When they proved who they are; null if the issuer does not say. */
  readonly authenticatedAt: number | null;
}
