import type { LoggedEvent, Tx } from '#lib/kernel';
import type { LogFollowerId } from '../domain/ids.js';

/** A position in the trees of a tenant: the leaf of this index comes next. */
export interface LogPosition {
  readonly epoch: number;
  readonly index: number;
}

/** A follower of one tenant's log. */
export interface FollowerAt {
  readonly id: LogFollowerId;
  readonly name: string;
  readonly position: LogPosition;
  /** How many entries its turn takes at most. */
  readonly atOnce: number;
  /** It is left alone until then, epoch milliseconds: after a failure, and while an exporter sends. */
  readonly notBefore: number;
}

/** Entries with a leaf, and the position behind the last of them. */
export interface LogStretch {
  readonly events: readonly LoggedEvent[];
  readonly end: LogPosition;
  /** Whether entries were left out that have a leaf already. */
  readonly more: boolean;
}

/** How much of the log one turn reads: entries, and the bytes of their facts. At least one entry is read. */
export interface StretchLimits {
  readonly entries: number;
  readonly bytes: number;
}

/** The followers of a tenant's log, and the position of each. */
export interface LogFollowers {
  /** Begins at the end of the newest tree, unless it follows already. */
  begin(tx: Tx, name: string): Promise<void>;
  /**
   * Begins at the first entry of the log, unless it follows already. A loop looks for it: it is never woken. @returns its id.
   */
  beginExport(tx: Tx, name: string): Promise<LogFollowerId>;
  end(tx: Tx, name: string): Promise<void>;
  /** Null if it does not follow any more, or if another transaction has its turn. No other has it until this one ends. */
  take(tx: Tx, id: LogFollowerId): Promise<FollowerAt | null>;
  /** In the order of the trees. */
  after(tx: Tx, position: LogPosition, atMost: StretchLimits): Promise<LogStretch>;
  /** After a turn that succeeded: the next one takes so many entries. */
  move(tx: Tx, id: LogFollowerId, to: LogPosition, atOnce: number): Promise<void>;
  /** After a turn that failed: the next one takes a single entry. @returns the failures since the last success. */
  failed(tx: Tx, id: LogFollowerId): Promise<number>;
  /** Leaves it alone until then (epoch milliseconds). */
  postpone(tx: Tx, id: LogFollowerId, until: number): Promise<void>;
  /** Notes that the newest tree has this size, and wakes the followers of the tenant. */
  grown(tx: Tx, head: { readonly epoch: number; readonly size: number }): Promise<void>;
}
