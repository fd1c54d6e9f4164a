import {
  err,
  ok,
  type AgentId,
  type CredentialId,
  type Failure,
  type PersonCredentialKind,
  type PersonId,
  type Result,
  type Scope,
} from '#lib/kernel';

/** The person who holds a credential. */
export interface PersonCredentialHolder {
  readonly kind: PersonCredentialKind;
  readonly personId: PersonId;
}

/** The holder of a credential, and the person that they act for. */
export type CredentialHolder =
  | PersonCredentialHolder
  | { readonly kind: 'agent_token'; readonly agentId: AgentId }
  /** The agent of an automation. No token is this credential: the automation acts by it, inside Countersign. */
  | { readonly kind: 'automation'; readonly agentId: AgentId }
  | { readonly kind: 'delegation'; readonly agentId: AgentId; readonly delegatedBy: PersonId };

/** How long a browser session may rest before it is over, in milliseconds. Each use, to the minute, begins it anew. */
export const BROWSER_SESSION_IDLE_MS = 60 * 60_000;

/** A bearer token as it is kept: everything but the token. Times are epoch milliseconds. */
export interface Credential {
  readonly id: CredentialId;
  readonly holder: CredentialHolder;
  readonly name: string;
  /** The token's recognisable start. */
  readonly prefix: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: number;
  /** The person who minted it; null for a token that an enrolment brought. */
  readonly createdBy: PersonId | null;
  readonly expiresAt: number;
  readonly revokedAt: number | null;
  /** To the minute. */
  readonly lastUsedAt: number | null;
}

/** The facts of a credential and its holder, at one moment of the database's clock. */
export interface CredentialStanding {
  readonly now: number;
  readonly expiresAt: number;
  readonly revokedAt: number | null;
  /** The moment at which a browser session has rested too long; null for a credential that may rest. */
  readonly idleUntil: number | null;
  /** The person who signs in, or the agent. */
  readonly holderDisabled: boolean;
  /** An agent's accountable owner, or the person an agent acts for. */
  readonly backerDisabled: boolean;
  /** Whether issuers are the only way in, and the person holds it from another way. */
  readonly outsideIssuers: boolean;
}

/** Whether a credential opens anything now (T17). Only the holder of the token learns which of these it was. */
export function decideStanding(standing: CredentialStanding): Result<void> {
  // Only a browser session can rest too long: its holder signs in again, and knows no credential.
  const browserSession = standing.idleUntil !== null;
  if (standing.revokedAt !== null)
    return err(
      browserSession ? signedOut('credential.revoked') : refused('credential.revoked', 'This token was revoked.'),
    );
  if (standing.expiresAt <= standing.now)
    return err(
      browserSession ? signedOut('credential.expired') : refused('credential.expired', 'This token has expired.'),
    );
  if (standing.idleUntil !== null && standing.idleUntil <= standing.now) return err(browserSessionIdle);
  if (standing.holderDisabled)
    return err(refused('credential.holder_disabled', 'The holder of this credential is disabled.'));
  if (standing.backerDisabled) {
    return err(refused('credential.backer_disabled', 'The person behind this agent’s credential is disabled.'));
  }
  if (standing.outsideIssuers) return err(issuerOnly);
  return ok(undefined);
}

/** For a token that was never given out, or is spelled wrong. */
export const unknownCredential: Failure = {
  kind: 'unauthenticated',
  code: 'credential.unknown',
  message: 'This credential is not known.',
  action: 'Check that the whole token was copied, or get a new one.',
};

const issuerOnly: Failure = {
  kind: 'unauthenticated',
  code: 'sign_in.issuer_only',
  message:
    'Your organisation lets people in through its identity provider alone, and this browser session or token is from another way.',
  action:
    'Sign in at the identity provider. If it does not work, ask the person who runs Countersign for "countersign bootstrap --admin".',
};

const browserSessionIdle: Failure = {
  kind: 'unauthenticated',
  code: 'browser_session.idle',
  message: 'You were signed out for being idle.',
  action: 'Sign in again.',
};

const signedOut = (code: string): Failure => ({
  kind: 'unauthenticated',
  code,
  message: 'You were signed out.',
  action: 'Sign in again.',
});

const refused = (code: string, message: string): Failure => ({
  kind: 'unauthenticated',
  code,
  message,
  action: 'Use a new one: people make theirs under Settings, an admin makes an agent’s.',
});
