import type { PoolReach } from '#lib/dispatch';
import type { PersonId, TenantId, Tx } from '#lib/kernel';
import type { RunnerDispatchId, RunnerId } from '../domain/ids.js';
import type { Runner } from '../domain/runner.js';

/** A public key of a runner. Times are epoch milliseconds. */
export interface RunnerKey {
  readonly id: string;
  readonly runnerId: RunnerId;
  /** The `x` of its JWK: Ed25519, base64url (RFC 8037). */
  readonly publicKey: string;
  readonly createdAt: number;
  readonly revokedAt: number | null;
}

/** A one-time token by which a machine becomes a runner. */
export interface RunnerEnrolment {
  readonly id: string;
  readonly runnerId: RunnerId;
  readonly expiresAt: number;
  readonly usedAt: number | null;
}

/** The words of a runner about itself. */
export type RunnerIntroduction = Pick<Runner, 'tools' | 'hooks' | 'noWayBack'> & {
  readonly version: string;
  readonly worksIn: readonly string[];
};

/** Runners, their tokens and their keys. A row that Countersign did not seal is refused (`record.not_authentic`). */
export interface RunnerRepository {
  insert(
    tx: Tx,
    runner: Pick<Runner, 'id' | 'name' | 'pool' | 'environments' | 'createdBy' | 'createdAt'>,
  ): Promise<void>;
  /** The runner of that name that is not revoked. */
  byName(tx: Tx, name: string): Promise<Runner | null>;
  /** @param lock `share` keeps a revocation waiting until the transaction ends. */
  find(tx: Tx, id: RunnerId, lock?: 'update' | 'share'): Promise<Runner | null>;
  /** Newest first, at most 500; the revoked ones last. */
  list(tx: Tx): Promise<readonly Runner[]>;
  /** @param since from when on a call of a runner counts as online (epoch milliseconds). */
  reach(tx: Tx, pool: string, environment: string, since: number): Promise<PoolReach>;
  markEnrolled(tx: Tx, id: RunnerId, version: string, at: number): Promise<void>;
  introduce(tx: Tx, id: RunnerId, said: RunnerIntroduction): Promise<void>;
  /** The reason why a runner of the pool has no way back in the environment, as its oldest runner says. Null if each has one. */
  noWayBack(tx: Tx, pool: string, environment: string): Promise<string | null>;
  /** Notes that it called, unless it did a moment ago and has not left since. */
  saw(tx: Tx, id: RunnerId, at: number): Promise<void>;
  /** Notes that it ends: it is offline until it calls again. */
  left(tx: Tx, id: RunnerId, at: number): Promise<void>;
  revoke(tx: Tx, id: RunnerId, by: PersonId, at: number): Promise<void>;

  insertEnrolment(
    tx: Tx,
    enrolment: { id: string; runnerId: RunnerId; digest: Uint8Array; createdAt: number; expiresAt: number },
  ): Promise<void>;
  locateEnrolment(digests: readonly Uint8Array[]): Promise<{ tenantId: TenantId; id: string } | null>;
  lockEnrolment(tx: Tx, id: string): Promise<RunnerEnrolment | null>;
  markEnrolmentUsed(tx: Tx, id: string, at: number): Promise<void>;

  insertKey(tx: Tx, key: Pick<RunnerKey, 'id' | 'runnerId' | 'publicKey' | 'createdAt'>): Promise<void>;
  key(tx: Tx, id: string): Promise<RunnerKey | null>;
  keys(tx: Tx, runnerId: RunnerId): Promise<readonly RunnerKey[]>;
  revokeKeys(tx: Tx, ids: readonly string[], at: number): Promise<void>;
  /**
   * Uses a proof up. Drops those of the runner that have expired.
   *
   * @returns false if it was used before; and how many the runner used in the last minute.
   */
  useProof(
    tx: Tx,
    runnerId: RunnerId,
    jti: string,
    expiresAt: number,
  ): Promise<{ readonly fresh: boolean; readonly recent: number }>;
}

/** Text that a call wrote, in the order of its numbers. */
export interface OutputChunk {
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

/** The names of the tenant's environments. */
export interface EnvironmentNames {
  names(tx: Tx): Promise<readonly string[]>;
}

/** Wakes those who wait for a row. Wakings are hints: the row decides. */
export interface RunnerSignals {
  /** Registers before the row is read, so that no change between the look and the wait is missed. */
  listen(topic: string): RunnerWake;
}

export interface RunnerWake {
  /** Resolves once something happened since the last call, after `ms`, or when `signal` aborts. */
  next(ms: number, signal?: AbortSignal): Promise<void>;
  close(): void;
}

/** The topics of signals. */
export const offeredTo = (tenantId: TenantId, pool: string): string => `offered:${tenantId}:${pool}`;
export const movedOf = (tenantId: TenantId, id: RunnerDispatchId): string => `moved:${tenantId}:${id}`;
