import type { JobName, TenantId } from '#lib/kernel';

type Scalar = string | number | boolean | Date | Uint8Array | null;

/**
 * Holds the type of a row to the values that the driver gives. A document has any shape, so it is `unknown` until a
 * schema reads it. The compiler refuses a row that says more (ADR 1).
 */
export type Unread<Row> = {
  readonly [P in keyof Row]: unknown extends Row[P]
    ? unknown
    : Row[P] extends Scalar | readonly Scalar[]
      ? Row[P]
      : never;
};

/** A row that one of the cross-tenant lookups names; the work on it is then done inside its tenant. */
export interface TenantRow {
  readonly tenantId: TenantId;
  readonly id: string;
}

/**
 * Calls the few SECURITY DEFINER functions that look across tenants (token lookup, due work, sequencing). They return
 * `(tenant_id, id)` and nothing else.
 */
export interface SystemQuery {
  call(functionName: string, ...parameters: readonly unknown[]): Promise<readonly TenantRow[]>;
  /** The same for work in the background, without tenants that are moving. */
  work(functionName: string, ...parameters: readonly unknown[]): Promise<readonly TenantRow[]>;
  /**
   * Calls a function that finds its tenant by one of those and then reads in that tenant. It has the rights of the
   * service, under row-level security. It is one statement in place of four for a look-up and a transaction.
   */
  read<Row extends Unread<Row>>(functionName: string, ...parameters: readonly unknown[]): Promise<readonly Row[]>;
}

/**
 * Of a replica to read from. `foreign`: it belongs to another cluster, or it is not known to follow the timeline of the primary. After a
 * promotion that is so until it has noted the new timeline on its disk, at the latest after `checkpoint_timeout`.
 */
export type ReplicaStanding = 'fresh' | 'behind' | 'foreign' | 'away';

/** The metrics that a process has of its database without asking it. */
export interface DatabaseMetrics {
  /** Commits that have waited so long that their standby must be gone. */
  readonly lateCommits: number;
  /** Of the replica to read from; null without one. */
  readonly replica: ReplicaStanding | null;
  /** How many tenants were refused when they last asked, by the code of the refusal. */
  readonly refusedTenants: ReadonlyMap<string, number>;
}

/** The due jobs of one kind. */
export interface JobBacklog {
  readonly queue: JobName;
  /** Rows that could be worked on now, at most 1000. */
  readonly waiting: number;
  /** How long the oldest of them has waited at least. */
  readonly oldestSeconds: number;
}

/** The turn of a handler among those that work at the same time. */
export interface JobTurn {
  /** Whether other jobs wait for a turn, or the worker stops: a handler that could go on for long returns. */
  readonly over: boolean;
  /** Whether a hint named the row; false if a look found it due. */
  readonly hinted: boolean;
}

/**
 * Does one kind of background work about one row. Called at least once for a row that is due, perhaps by several
 * workers at once. Also called for hints that are wrong or outdated.
 *
 * @returns the milliseconds until the row is due again (0 for at once), or null if the row alone decides. Soon is
 * exact; anything later is found by a look.
 */
export type JobHandler = (tenantId: TenantId, id: string, turn: JobTurn) => Promise<number | null>;

export interface JobOptions {
  /** How many rows of the kind a process works on at once. */
  readonly atOnce?: number;
}

/** How often rows that no hint named are looked for by default, in milliseconds. A lost hint costs a second (ADR 20). */
export const LOOK_MS = 1_000;

/** A row that is due, and the kind of its job. */
export interface DueJob {
  readonly name: JobName;
  readonly tenantId: TenantId;
  readonly id: string;
}

export interface JobStart {
  /** How often rows are looked for that no hint named, in milliseconds. */
  readonly lookMs: number;
  /** A handler threw, or, with null, a look. The row stays due and is tried again. */
  readonly onFailure: (job: DueJob | null, error: unknown) => void;
}

/** Finds rows that are due and hands them to their handlers. Register every handler before `start`. */
export interface JobWorker {
  register(name: JobName, handler: JobHandler, options?: JobOptions): void;
  start(start: JobStart): void;
  /** How many rows of a kind this process works on now. */
  underWay(name: JobName): number;
  /** Begins nothing more, and lets running handlers finish, for a bounded time. */
  stop(): Promise<void>;
}
