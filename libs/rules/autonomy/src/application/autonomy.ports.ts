import type { AutonomyDocument } from '#lib/formats';
import type { RoleHolders } from '../domain/fill-quorum.js';
import type { AutonomyRevisionId, Digest, PersonId, Tx } from '#lib/kernel';

/** The autonomy document in force, as decisions read it. */
export interface AutonomyInForce {
  readonly revisionId: AutonomyRevisionId;
  /** Counts from 1 within the tenant. */
  readonly number: number;
  readonly document: AutonomyDocument;
  /** Over the parsed document, not over its YAML text. */
  readonly digest: Digest;
}

/** One revision with its source and its author. */
export interface AutonomyRevision extends Omit<AutonomyInForce, 'document'> {
  /** Null if the stored text is no autonomy document. So a forged one does not keep an admin from replacing it. */
  readonly document: AutonomyDocument | null;
  /** Byte for byte as it was put. */
  readonly source: string;
  /** SHA-256 of the source, hexadecimal. */
  readonly sourceSha256: string;
  readonly createdAt: number;
  readonly createdBy: PersonId;
  readonly createdByName: string;
}

/** A revision before its author's name is known. */
export type NewAutonomyRevision = Omit<AutonomyRevision, 'createdByName'> & AutonomyInForce;

/** Reads the document in force. Null: the tenant has none, so plan_only holds, and no person may approve. */
export interface AutonomyReader {
  /** @param options.lock `share`: the document stays in force until the transaction ends. Take it before any other lock. */
  current(tx: Tx, options?: { readonly lock?: 'share' }): Promise<AutonomyInForce | null>;
}

/** The revisions, for the library's own use cases. */
export interface AutonomyRepository extends AutonomyReader {
  /** Locks out other changes, and decisions by the document, until the transaction ends. */
  lockForChange(tx: Tx): Promise<AutonomyRevision | null>;
  inForce(tx: Tx): Promise<AutonomyRevision | null>;
  find(tx: Tx, number: number): Promise<AutonomyRevision | null>;
  /** In one query. */
  findMany(tx: Tx, ids: readonly AutonomyRevisionId[]): Promise<readonly AutonomyRevision[]>;
  /** The revision in force at a moment (epoch milliseconds). */
  inForceAt(tx: Tx, at: number): Promise<AutonomyRevision | null>;
  /** Newest first, `before` a number. */
  list(tx: Tx, page: { readonly before: number | null; readonly limit: number }): Promise<readonly AutonomyRevision[]>;
  put(tx: Tx, revision: NewAutonomyRevision): Promise<void>;
}

/** The people of a tenant by their roles, and the owners that agents exclude. */
export interface Census {
  /** People who can review, by the roles they hold now. */
  readonly holders: readonly RoleHolders[];
  /** The holders with a second factor. */
  readonly enrolled: readonly RoleHolders[];
  /** Each enabled agent with the roles of its owner. The owner never reviews for it. */
  readonly agents: readonly { readonly name: string; readonly ownerRoles: readonly string[] }[];
  /** Every role that the tenant ever assigned. */
  readonly roles: readonly string[];
}

/** Counts the people who can approve. */
export interface RoleCensus {
  count(tx: Tx): Promise<Census>;
}

/** An environment as decisions read it. */
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

/** Checks the destinations that `notifies` names. */
export interface NotifiedDestinations {
  /** The named destinations without an address that took its last test message, each with the reason in words. */
  unanswered(tx: Tx, names: readonly string[]): Promise<readonly { readonly name: string; readonly why: string }[]>;
  /** True if a person who hears of every incident remains after a holder of one of these roles invokes break-glass. */
  tellsAnother(tx: Tx, roles: readonly string[]): Promise<boolean>;
}
