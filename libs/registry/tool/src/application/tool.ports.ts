import type { EnvironmentId, PersonId, PlanId, ToolVersionId, Tx } from '#lib/kernel';
import type { SecretBinding } from '#lib/tenancy';
import type { SameAudience } from '../domain/executor-document.js';
import type { ExecutorRecord, StoredExecutor, ToolHead, ToolVersion } from '../domain/tool-version.js';

/** A version with its author and time. */
export interface RecordedToolVersion extends ToolVersion {
  readonly createdAt: number;
  readonly createdBy: PersonId;
}

/** `share` keeps the head from moving until the transaction ends. */
export interface ReadOptions {
  readonly lock?: 'share';
}

/** Reads the tools that count now. A removed tool resolves to nothing. */
export interface ToolRegistry {
  resolve(tx: Tx, name: string, options?: ReadOptions): Promise<ToolVersion | null>;
  /** One particular version, also one that no longer counts. */
  get(tx: Tx, name: string, version: number): Promise<ToolVersion | null>;
  /** In one query; names without a tool are absent from the map. */
  resolveMany(tx: Tx, names: readonly string[], options?: ReadOptions): Promise<ReadonlyMap<string, ToolVersion>>;
  /** Versions by id, in one query, also those that no longer count. */
  getMany(tx: Tx, ids: readonly ToolVersionId[]): Promise<ReadonlyMap<ToolVersionId, ToolVersion>>;
  /** Every tool that counts now, by name. */
  list(tx: Tx): Promise<readonly RecordedToolVersion[]>;
}

/** The store that the registry's own use cases write to. */
export interface ToolRepository extends ToolRegistry {
  /** One change of the registry of a tenant at a time, until the transaction ends. */
  lockForChange(tx: Tx): Promise<void>;
  /** Every head there ever was, locked FOR UPDATE in name order. */
  heads(tx: Tx): Promise<ReadonlyMap<string, ToolHead>>;
  history(
    tx: Tx,
    name: string,
  ): Promise<{ readonly removed: boolean; readonly versions: readonly RecordedToolVersion[] } | null>;
  /** @param definitionText the definition as canonical JSON, which its digest is over. */
  addVersion(tx: Tx, version: ToolVersion, definitionText: string, createdBy: PersonId, at: number): Promise<void>;
  remove(tx: Tx, name: string, at: number): Promise<void>;
}

/** Which plans that are still alive hold a tool. */
export interface ToolUsage {
  livePlans(tx: Tx, names: readonly string[]): Promise<ReadonlyMap<string, readonly PlanId[]>>;
}

/** Reads the executors of an environment. */
export interface ExecutorDirectory {
  /** In one query; names without an executor in this environment are absent from the map. */
  resolveMany(
    tx: Tx,
    environmentId: EnvironmentId,
    names: readonly string[],
    options?: ReadOptions,
  ): Promise<ReadonlyMap<string, ExecutorRecord>>;
  /** The record that an approval bound by its digest, also if another has taken its place since. */
  asBound(
    tx: Tx,
    environmentId: EnvironmentId,
    bound: { readonly name: string; readonly digest: string },
  ): Promise<ExecutorRecord | null>;
}

/** The store of executors that the registry's own use cases write to. */
export interface ExecutorRepository extends ExecutorDirectory {
  list(tx: Tx, environmentId: EnvironmentId): Promise<readonly StoredExecutor[]>;
  /** The current record, locked FOR UPDATE. */
  lock(tx: Tx, environmentId: EnvironmentId, name: string): Promise<StoredExecutor | null>;
  /**
   * The executors of other environments that have this audience now. No other transaction asks for the same audience of
   * the tenant until this one ends.
   */
  withAudience(tx: Tx, audience: string, besides: EnvironmentId): Promise<readonly SameAudience[]>;
  save(tx: Tx, environmentId: EnvironmentId, record: ExecutorRecord, createdBy: PersonId, at: number): Promise<void>;
}

/** The names of the tenant's secrets. It never gives their values. */
export interface SecretNames {
  /** Those of `references` (`name@version`) that exist, with their bindings. */
  bindings(tx: Tx, references: readonly string[]): Promise<ReadonlyMap<string, SecretBinding | null>>;
}
