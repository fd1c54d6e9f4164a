import type { LoggedEvent, LogFollowerId, Tx } from '#lib/kernel';

/** A place in the trees of a tenant: the leaf of this index comes next. */
export interface LogPlace {
  readonly epoch: number;
  readonly index: number;
}

/** A follower of one tenant's log. */
export interface FollowerAt {
  readonly id: LogFollowerId;
  readonly name: string;
  readonly place: LogPlace;
}

/** Entries with a leaf, and the place behind the last of them. */
export interface LogStretch {
  readonly events: readonly LoggedEvent[];
  readonly end: LogPlace;
}

/** The followers of a tenant's log, and the place of each. */
export interface LogFollowers {
  /** Begins at the end of the newest tree, unless it follows already. */
  begin(tx: Tx, name: string): Promise<void>;
  end(tx: Tx, name: string): Promise<void>;
  /** Null if it does not follow any more, or if another transaction has its turn. No other has it until this one ends. */
  take(tx: Tx, id: LogFollowerId): Promise<FollowerAt | null>;
  /** In the order of the trees, `atMost` of them. */
  after(tx: Tx, place: LogPlace, atMost: number): Promise<LogStretch>;
  move(tx: Tx, id: LogFollowerId, to: LogPlace): Promise<void>;
  /** Leaves it alone until then (epoch milliseconds). */
  postpone(tx: Tx, id: LogFollowerId, until: number): Promise<void>;
  /** Notes that the newest tree has this size. @returns the followers of the tenant. */
  grown(tx: Tx, head: { readonly epoch: number; readonly size: number }): Promise<readonly LogFollowerId[]>;
}
