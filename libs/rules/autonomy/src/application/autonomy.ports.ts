import type { AutonomyDocument } from '#lib/contracts';
import type { RoleHolders } from '../domain/fill-quorum.js';
import type { AutonomyRevisionId, Digest, PersonId, Tx } from '#lib/kernel';

/** The autonomy document in force, as decisions are given it. */
export interface AutonomyInForce {
  readonly revisionId: AutonomyRevisionId;
  /** Counts from 1 within the tenant. */
  readonly number: number;
  readonly document: AutonomyDocument;
  /** Over the document, not over its spelling. */
  readonly digest: Digest;
}

/** One revision with its source and who put it. */
export interface AutonomyRevision extends AutonomyInForce {
  /** Byte for byte as it was put. */
  readonly source: string;
  /** SHA-256 of the source, hexadecimal. */
  readonly sourceSha256: string;
  readonly createdAt: number;
  readonly createdBy: PersonId;
  readonly createdByName: string;
}

/** Reads what is in force. Null: the tenant has no document, which means plan_only, and nobody may approve. */
export interface AutonomyReader {
  /** `share`: it stays in force until the transaction ends; taken before any other lock of a use case. */
  current(tx: Tx, options?: { readonly lock?: 'share' }): Promise<AutonomyInForce | null>;
}

/** What the library's own use cases read and write. */
export interface AutonomyRepository extends AutonomyReader {
  /** One change of a tenant's document at a time, and no decision under way: until the transaction ends. */
  lockForChange(tx: Tx): Promise<AutonomyRevision | null>;
  inForce(tx: Tx): Promise<AutonomyRevision | null>;
  find(tx: Tx, number: number): Promise<AutonomyRevision | null>;
  /** In one query. */
  findMany(tx: Tx, ids: readonly AutonomyRevisionId[]): Promise<readonly AutonomyRevision[]>;
  /** What decisions of that moment (epoch milliseconds) were taken by. */
  inForceAt(tx: Tx, at: number): Promise<AutonomyRevision | null>;
  /** Newest first, `before` a number. */
  list(tx: Tx, page: { readonly before: number | null; readonly limit: number }): Promise<readonly AutonomyRevision[]>;
  put(tx: Tx, revision: Omit<AutonomyRevision, 'createdByName'>): Promise<void>;
}

/** Who there is in the tenant, and whom agents exclude. */
export interface Census {
  /** Everybody who could review, by the roles they hold now. */
  readonly holders: readonly RoleHolders[];
  /** Those of them who have a second factor. */
  readonly enrolled: readonly RoleHolders[];
  /** Each agent that can ask, with the roles of its owner, who never reviews for it. */
  readonly agents: readonly { readonly name: string; readonly ownerRoles: readonly string[] }[];
  /** Every role that the tenant ever gave to somebody. */
  readonly roles: readonly string[];
}

/** Counts the people that approvals can come from. */
export interface RoleCensus {
  count(tx: Tx): Promise<Census>;
}

/** An environment as decisions are given it. */
export interface EnvironmentRow {
  readonly id: string;
  readonly name: string;
  readonly production: boolean;
  readonly version: number;
}

/** The tenant's environments, by name. */
export interface EnvironmentList {
  all(tx: Tx): Promise<readonly EnvironmentRow[]>;
}

/** Whether what `notifies` names can be reached. */
export interface NotifiedDestinations {
  /** Of these names, those without an address that took its last test message, each with the reason in words. */
  unanswered(tx: Tx, names: readonly string[]): Promise<readonly { readonly name: string; readonly why: string }[]>;
  /** Whether of the people who are always told somebody is left, whoever holding one of these roles breaks the glass. */
  tellsAnother(tx: Tx, roles: readonly string[]): Promise<boolean>;
}
