import type { Json } from '#lib/canonical';
import type { AuditLevel } from './audit-sink.js';
import type { AuditEntryId } from './ids.js';
import type { Actor } from './principal.js';
import type { SubjectRef } from './subject.js';
import type { Tx } from './unit-of-work.js';

/** An action of the tenant, as its audit log holds it. */
export interface LoggedEvent {
  readonly id: AuditEntryId;
  /** Epoch milliseconds. */
  readonly occurredAt: number;
  readonly level: AuditLevel;
  /** In the past tense: `approval_request.approved`. */
  readonly action: string;
  readonly actor: Actor;
  readonly subject: SubjectRef;
  /** The things it happened in, outermost first. */
  readonly within: readonly SubjectRef[];
  /** The facts, masked; null if they were erased. */
  readonly payload: Json;
}

/**
 * Follows the log of every tenant that it began with, entry by entry in the order of the tree. It costs the action that is
 * logged nothing.
 */
export interface LogFollower {
  /** The same in every process. Its place in a log is kept under it. */
  readonly name: string;
  /**
   * Takes the next events, in the transaction that moves its place: each exactly once. If it throws, the same ones come again
   * after some seconds.
   */
  take(tx: Tx, events: readonly LoggedEvent[]): Promise<void>;
}

/** Begins and ends to follow a tenant's log. */
export interface LogFollowing {
  /** From the end of the tree on, so that an action of the last second may come, too. Nothing changes if it follows already. */
  begin(tx: Tx, follower: string): Promise<void>;
  /** Its place is forgotten. */
  end(tx: Tx, follower: string): Promise<void>;
}
