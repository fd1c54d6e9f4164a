import type { Json } from '#lib/canonical';
import type { Digest, DigestKind } from './digest.js';
import type { AuditEntryId, DecisionId, TenantId } from './ids.js';
import type { Actor } from './principal.js';
import type { SubjectRef } from './subject.js';
import type { Tx } from './unit-of-work.js';

/** How much is kept about an action (ADR-009's logging column); `critical` is break-glass. */
export type AuditLevel = 'basic' | 'detailed' | 'full' | 'full_with_evidence' | 'critical';

/**
 * A document that an action fixed (submitted, decided, reviewed, executed), named by its digest. An evidence pack may later
 * compare that document with it. `digest` is `digestOf(kind, document)` of exactly the document that the stage's
 * evidence contributor hands out.
 */
export interface EvidenceRef {
  readonly kind: DigestKind;
  readonly id: string;
  readonly digest: Digest;
}

/** Names and digests alone, nested as deep as they like. */
export type DigestTree = string | null | { readonly [name: string]: DigestTree };

/** One action, as its use case reports it. */
export interface AuditEvent {
  /** The event, in the past tense: `approval_request.approved`. */
  readonly action: string;
  readonly actor: Actor;
  readonly level: AuditLevel;
  readonly subject: SubjectRef;
  /** The things it happened in, outermost first, so that an evidence pack finds it. For a run these are task, plan and run. */
  readonly within?: readonly SubjectRef[];
  /** The recorded policy decision that allowed or refused the action. */
  readonly decisionId?: DecisionId;
  /** Documents the action fixed; part of the entry's header, so they stay when the payload is erased. */
  readonly evidence?: readonly EvidenceRef[];
  /** The facts; masked before it is stored, and erasable later without breaking a proof. */
  readonly payload: Json;
  /**
   * Further members of the payload, stored unmasked. Masking goes by names too, and an executor may be called `token`: its
   * masked member would no longer fit its digest. A value that is no digest is refused, so that no secret passes.
   */
  readonly digests?: Readonly<Record<string, DigestTree>>;
}

/** Writes the audit entry in the transaction of the action itself; if it throws, the action is rolled back (T28). */
export interface AuditSink {
  record(tx: Tx, event: AuditEvent): Promise<void>;
}

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

/** Sends the log of a tenant out of Countersign, entry by entry in the order of the tree. */
export interface LogExporter {
  /** The same in every process. Its place in a log is kept under it. */
  readonly name: string;
  /**
   * Sends the next events, outside of any transaction. Its place moves after it returned, so a crash in between sends them again:
   * each comes at least once. If it throws, the same ones come again later.
   */
  export(tenantId: TenantId, events: readonly LoggedEvent[]): Promise<void>;
}

/** How far a follower of a tenant's log is. Times are epoch milliseconds. */
export interface FollowerProgress {
  /** Entries that it has still to take. */
  readonly entriesBehind: number;
  /** Since when there are such entries; null if there are none. */
  readonly behindSince: number | null;
  /** Failed turns since the last one that succeeded. */
  readonly failures: number;
  /** When a failed turn is tried again; null if none failed. */
  readonly retryAt: number | null;
}

/** Tells how far the followers of a tenant's log are. */
export interface LogProgress {
  /** Null if there is no such follower. */
  of(tx: Tx, follower: string): Promise<FollowerProgress | null>;
  /** A failed turn is tried again at once. */
  retryNow(tx: Tx, follower: string): Promise<void>;
}

/** Begins and ends to follow a tenant's log. */
export interface LogFollowing {
  /** From the end of the tree on, so that an action of the last second may come, too. Nothing changes if it follows already. */
  begin(tx: Tx, follower: string): Promise<void>;
  /** Its place is forgotten. */
  end(tx: Tx, follower: string): Promise<void>;
}
