import type { AgentId, CredentialId, PersonId, TenantId } from './ids.js';

/** The uses of a credential. `review` and `admin` are never given by default, and never to an agent. */
export const SCOPES = ['read', 'submit', 'run', 'review', 'halt', 'audit', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** A role as a person holds it now. `assignedAt` is epoch milliseconds: a role gained after a request opened does not count there. */
export interface HeldRole {
  readonly role: string;
  readonly assignedAt: number;
}

/** The ways in which a person calls: the kinds of their credentials. */
export type PersonCredentialKind = 'browser_session' | 'slack_link' | 'person_token' | 'issuer_token';

/** A person, acting through one of their credentials. */
export interface PersonPrincipal {
  readonly kind: 'person';
  readonly tenantId: TenantId;
  readonly personId: PersonId;
  readonly displayName: string;
  readonly roles: readonly HeldRole[];
  readonly credentialId: CredentialId;
  readonly credentialKind: PersonCredentialKind;
  readonly scopes: readonly Scope[];
  /**
   * The time of their last sign-in at an issuer of the tenant, with any credential (epoch milliseconds). Null if they have
   * no issuer and need none; `never` if the tenant requires a sign-in and they never signed in.
   */
  readonly signedInAt: number | 'never' | null;
  /** Their reason for a change of a guardrail, in their words, masked; absent if they gave no reason. */
  readonly reason?: string;
}

/** An agent. `onBehalfOf` is set only by a delegation that the person issued, never by the agent's own claim. */
export interface AgentPrincipal {
  readonly kind: 'agent';
  readonly tenantId: TenantId;
  readonly agentId: AgentId;
  readonly displayName: string;
  /** The person accountable for the agent; never a reviewer of its requests. */
  readonly ownerId: PersonId;
  readonly onBehalfOf: PersonId | null;
  readonly credentialId: CredentialId;
  readonly scopes: readonly Scope[];
}

/** Countersign's own worker: expiry, sequencing, execution of approved plans. */
export interface SystemPrincipal {
  readonly kind: 'system';
  readonly tenantId: TenantId;
  /** Which part acts, for example `run-executor`. */
  readonly name: string;
}

/** The caller: each use case decides and records by it. */
export type Principal = PersonPrincipal | AgentPrincipal | SystemPrincipal;

/**
 * Whether a person acts in a browser session or in Slack. A token proves less: an agent on its owner's machine may read it
 * there (T55).
 */
export const actsInPerson = (principal: Principal): principal is PersonPrincipal =>
  principal.kind === 'person' &&
  (principal.credentialKind === 'browser_session' || principal.credentialKind === 'slack_link');

/** The holder of the credential: the same id for all credentials of a person or an agent. */
export const holderIdOf = (principal: PersonPrincipal | AgentPrincipal): PersonId | AgentId =>
  principal.kind === 'person' ? principal.personId : principal.agentId;

/** The principal as the audit log and API answers name it. */
export interface Actor {
  readonly kind: 'person' | 'agent' | 'system';
  /** A person's or agent's id; for the system, the part that acted. */
  readonly id: string;
  readonly display_name: string;
  readonly credential_id: string | null;
  readonly on_behalf_of: string | null;
}

/** A principal without its scopes and roles: the audit log keeps it for good, and the API shows it. */
export function actorOf(principal: Principal): Actor {
  switch (principal.kind) {
    case 'person':
      return {
        kind: 'person',
        id: principal.personId,
        display_name: principal.displayName,
        credential_id: principal.credentialId,
        on_behalf_of: null,
      };
    case 'agent':
      return {
        kind: 'agent',
        id: principal.agentId,
        display_name: principal.displayName,
        credential_id: principal.credentialId,
        on_behalf_of: principal.onBehalfOf,
      };
    case 'system':
      return {
        kind: 'system',
        id: principal.name,
        display_name: principal.name,
        credential_id: null,
        on_behalf_of: null,
      };
  }
}
