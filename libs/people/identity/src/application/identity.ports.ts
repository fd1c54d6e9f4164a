import type {
  AgentId,
  CredentialId,
  HeldRole,
  PersonId,
  PersonPrincipal,
  Principal,
  Result,
  Scope,
  TenantId,
  Tx,
} from '#lib/kernel';
import type { Agent } from '../domain/agent.js';
import type { Credential, CredentialHolder, CredentialStanding } from '../domain/credential.js';
import type { Person } from '../domain/person.js';
import type { EnrolmentChannel, KnownBy, Standing } from '../domain/seats.js';

/** A place in a list that is sorted by id, which is by creation. */
export interface ListAfter {
  readonly afterId: string | null;
  readonly limit: number;
}

/** Which people are listed. */
export interface PeopleFilter {
  /** Only those who are not disabled and unknown to every issuer in service: only an admin takes their access away. */
  readonly withoutIssuer: boolean;
}

/** The person whose request it is, and the credential that came with it. */
export type Caller = Pick<PersonPrincipal, 'personId' | 'credentialId'>;

/** The people of a tenant, with their roles. */
export interface PersonRepository {
  /** @returns false if the e-mail address is taken in the tenant. */
  insert(tx: Tx, person: Pick<Person, 'id' | 'email' | 'displayName'>): Promise<boolean>;
  find(tx: Tx, id: PersonId): Promise<Person | null>;
  /** Without regard to case. */
  findByEmail(tx: Tx, email: string): Promise<PersonId | null>;
  /**
   * In one query; people who are not the tenant's are absent. So is the caller, if their credential has ended since the request was
   * authenticated: it may have waited for a lock. From then on a revocation of it waits until the transaction ends.
   */
  findMany(tx: Tx, ids: readonly PersonId[], caller?: Caller): Promise<Person[]>;
  /** Locks the person against every other change of them. */
  lock(tx: Tx, id: PersonId): Promise<Person | null>;
  list(tx: Tx, page: ListAfter, filter: PeopleFilter): Promise<Person[]>;
  save(tx: Tx, person: Pick<Person, 'id' | 'displayName' | 'disabledAt' | 'enrolledAt'>): Promise<void>;
  assignRole(
    tx: Tx,
    assignment: {
      id: string;
      personId: PersonId;
      role: string;
      assignedBy: PersonId | null;
      /** The issuer that gives it by its claims, instead of a person. */
      assignedByIssuer?: string;
      at: number;
    },
  ): Promise<void>;
  /** @returns false if the person does not hold the role. */
  revokeRole(
    tx: Tx,
    assignment: { personId: PersonId; role: string; revokedBy: PersonId | { readonly issuerId: string }; at: number },
  ): Promise<boolean>;
  /** Whether anybody else, person or agent, has this name or one that reads like it. */
  nameTaken(tx: Tx, name: string, id: PersonId | AgentId): Promise<boolean>;
  /** Whether an issuer that is in service knows the person. */
  signsInAtIssuer(tx: Tx, id: PersonId): Promise<boolean>;
  /** Whether the tenant made its issuers the only way in. */
  issuersOnly(tx: Tx): Promise<boolean>;
  /** Locks the assignments of PlatformAdmin of everybody who is not disabled. @returns those of them who can come in now. */
  lockAdmins(tx: Tx): Promise<PersonId[]>;
}

/** The agents of a tenant. */
export interface AgentRepository {
  /** @returns false if the name is taken in the tenant. */
  insert(tx: Tx, agent: Pick<Agent, 'id' | 'name' | 'description' | 'ownerId'>): Promise<boolean>;
  find(tx: Tx, id: AgentId): Promise<Agent | null>;
  lock(tx: Tx, id: AgentId): Promise<Agent | null>;
  list(tx: Tx, page: ListAfter): Promise<Agent[]>;
  /** @returns false if the name is taken in the tenant. */
  save(tx: Tx, agent: Pick<Agent, 'id' | 'name' | 'description' | 'ownerId' | 'disabledAt'>): Promise<boolean>;
}

/** Told in the transaction in which an agent is disabled: all that it has under way ends with it. */
export interface AgentDisabledListener {
  /** @param by the time in epoch milliseconds, and the person who disabled it. */
  agentDisabled(
    tx: Tx,
    agentId: AgentId,
    by: { readonly principal: PersonPrincipal; readonly at: number },
  ): Promise<void>;
}

/** Which credentials somebody may see: their own, their agents', and the delegations they issued; admins see all. */
export interface CredentialsSeenBy {
  readonly personId: PersonId;
  readonly all: boolean;
}

/** Tokens and browser sessions, each found by the digest of its secret. */
export interface CredentialRepository {
  insert(tx: Tx, credential: Credential, digest: Uint8Array): Promise<void>;
  find(tx: Tx, id: CredentialId, seenBy: CredentialsSeenBy): Promise<Credential | null>;
  list(tx: Tx, seenBy: CredentialsSeenBy, page: ListAfter): Promise<Credential[]>;
  revoke(tx: Tx, id: CredentialId, at: number): Promise<void>;
  /**
   * The tokens of the person or agent, delegations included: those that are good, and those made within a day. Until the
   * transaction ends no other one counts them.
   */
  countTokens(tx: Tx, holder: CredentialHolder): Promise<{ readonly live: number; readonly madeToday: number }>;
  /** Whether the agent acts for an automation, by a credential of that kind, revoked or not. */
  actsForAutomation(tx: Tx, agentId: AgentId): Promise<boolean>;
  /** Gives a browser session another token. */
  rotate(tx: Tx, id: CredentialId, digest: Uint8Array): Promise<void>;
  /** Revokes every live token of a person; returns how many there were. */
  revokeAllOf(tx: Tx, personId: PersonId, at: number): Promise<number>;
  /** Also those of agents that were made in the person's name. */
  revokeAllMadeBy(tx: Tx, personId: PersonId, at: number): Promise<number>;
  /**
   * Waits for a vouch of the person that is under way. @returns whether the credential they use is still good. A revocation of it
   * waits until the transaction ends.
   */
  stillGood(tx: Tx, personId: PersonId, id: CredentialId): Promise<boolean>;
}

/** A credential as authentication reads it: itself, its holder, and their standing, in one query. */
export interface CredentialOnFile {
  readonly tenantId: TenantId;
  readonly id: CredentialId;
  readonly scopes: readonly Scope[];
  readonly holder: CredentialHolder;
  readonly displayName: string;
  readonly roles: readonly HeldRole[];
  readonly enrolledAt: number | null;
  readonly signedInAt: PersonPrincipal['signedInAt'];
  /** An agent's accountable person; null for a person's token. */
  readonly ownerId: PersonId | null;
  readonly standing: CredentialStanding;
  readonly lastUsedAt: number | null;
}

/** Finds a credential before its tenant is known. */
export interface CredentialFile {
  /**
   * Across tenants, before one is known: the credential that has this digest, in one round trip. The look-up is by a
   * digest of the token, so its duration tells nothing of a token.
   */
  find(digest: Uint8Array): Promise<CredentialOnFile | null>;
  markUsed(tx: Tx, id: CredentialId): Promise<void>;
}

/** A one-time token by which a person gets their first credential. */
export interface Enrolment {
  readonly id: string;
  readonly personId: PersonId;
  /** How its secret was handed out. */
  readonly channel: EnrolmentChannel;
  readonly expiresAt: number;
  readonly usedAt: number | null;
  /** The moment since which it opens nothing although unused; null while it may. */
  readonly voidedAt: number | null;
}

/** The maker of the secret: a person, or the server by itself. */
export type EnrolmentMaker =
  | { readonly channel: Extract<EnrolmentChannel, 'shown' | 'mailed'>; readonly createdBy: PersonId }
  | { readonly channel: Extract<EnrolmentChannel, 'operator' | 'bootstrap'>; readonly createdBy: null };

/** The one-time tokens by which people get a first credential. */
export interface EnrolmentRepository {
  /** Replaces an unused one of the same person, which opens nothing from then on. */
  insert(
    tx: Tx,
    enrolment: EnrolmentMaker & { id: string; personId: PersonId; digest: Uint8Array; expiresAt: number },
  ): Promise<void>;
  /** @param digests of the token, under each key that it may have been stored with. */
  locate(digests: readonly Uint8Array[]): Promise<{ readonly tenantId: TenantId; readonly id: string } | null>;
  lock(tx: Tx, id: string): Promise<Enrolment | null>;
  markUsed(tx: Tx, id: string): Promise<void>;
  /** Those that are good and unused, the latest first. */
  listOpen(tx: Tx): Promise<readonly OpenInvitation[]>;
  /** Makes an unused one of the person open nothing. @returns how many there were. */
  voidUnused(tx: Tx, personId: PersonId): Promise<number>;
  /** Whether the person has a second factor that counts; somebody else could have registered it. */
  hasFactors(tx: Tx, personId: PersonId): Promise<boolean>;
  /** The last one that the person used; null before the first. */
  lastUsed(tx: Tx, personId: PersonId): Promise<UsedEnrolment | null>;
}

/** An invitation that is good and unused. Times are epoch milliseconds. */
export interface OpenInvitation {
  readonly person: { readonly id: PersonId; readonly displayName: string; readonly email: string };
  readonly channel: EnrolmentChannel;
  /** The person who made it; null for the operator's and the bootstrap's. */
  readonly invitedBy: { readonly personId: PersonId; readonly displayName: string } | null;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** A person's way in: the maker of the token (null for the bootstrap and the operator), and the time. */
export interface UsedEnrolment {
  readonly channel: EnrolmentChannel;
  readonly createdBy: { readonly personId: PersonId; readonly displayName: string } | null;
  readonly usedAt: number;
}

/** The standing of people: how each is known, and the people who share their vote. */
export interface Seats {
  /**
   * In a few queries for any number of people; each of them has an answer.
   *
   * @param before for what was opened at that moment (epoch milliseconds): a later proof counts for nothing there.
   */
  standingOf(tx: Tx, ids: readonly PersonId[], before?: number): Promise<ReadonlyMap<PersonId, Standing>>;
  /** The ways in of these people and of their hands, as `standingsIn` takes them. */
  waysIn(tx: Tx, ids: readonly PersonId[]): Promise<ReadonlyMap<PersonId, readonly KnownBy[]>>;
  /** Somebody vouches for a person, now. */
  keepVouch(tx: Tx, vouch: { readonly personId: PersonId; readonly vouchedBy: PersonId }): Promise<void>;
}

/** Things besides credentials and factors that an impostor of a person could leave behind. */
export interface LeftBehind {
  /** Ends every delegation by which somebody stands in for the person. @returns how many there were. */
  endDelegations(tx: Tx, personId: PersonId, end: { readonly at: number; readonly by: PersonId }): Promise<number>;
  /** Ends every push subscription of the person. @returns how many there were. */
  endBrowsers(tx: Tx, personId: PersonId): Promise<number>;
}

/** The tokens by which tenants are founded, each once. */
export interface BootstrapTokenRepository {
  /** @returns when it expires, epoch milliseconds. */
  insert(tx: Tx, token: { digest: Uint8Array; lifetimeMs: number }): Promise<number>;
  /** Uses the token up, in the transaction of the founding. @returns false if it is unknown, used or expired. */
  use(tx: Tx, digests: readonly Uint8Array[]): Promise<boolean>;
}

/** Founds the tenant that the transaction belongs to, with the environments every tenant begins with. */
export interface TenantFounder {
  found(tx: Tx, tenant: { readonly slug: string; readonly name: string }): Promise<Result<void>>;
}

/** Bytes from a cryptographic source. */
export interface RandomBytes {
  bytes(count: number): Uint8Array;
}

/** Resolves a credential to its caller. */
export interface Authenticator {
  /** By a bearer token that Countersign issued. */
  authenticate(token: string): Promise<Result<Principal>>;
  /**
   * By the token in a browser's cookie, which is good nowhere else.
   *
   * @param attended false for a page's own requests: the browser session goes on resting.
   */
  authenticateBrowserSession(token: string, attended?: boolean): Promise<Result<PersonPrincipal>>;
  /** By the credential that stands for an issuer's access tokens, once such a token was verified. */
  authenticateIssuerToken(credentialDigest: Uint8Array): Promise<Result<PersonPrincipal>>;
  /** By the credential of a link with Slack, once Slack's signature was checked and the user found. */
  authenticateSlackLink(credentialDigest: Uint8Array): Promise<Result<PersonPrincipal>>;
}

/** The budget that is spent, and the seconds until it has something again. */
export interface BudgetRefusal {
  readonly budget: 'holder' | 'tenant';
  readonly waitSeconds: number;
}

/** How often a person or agent may call, with all their credentials together, and all of a tenant. The limits hold over all processes. */
export interface RequestBudget {
  /** Takes one request out of both budgets. @returns null, or which one is empty. */
  take(principal: Principal): Promise<BudgetRefusal | null>;
}
