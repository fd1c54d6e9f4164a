import type { ExecutorKind, ToolDefinition } from '#lib/contracts';
import type { Digest, EnvironmentId, ExecutorId, PersonId, PlanId, ToolVersionId, Tx } from '#lib/kernel';

/** One immutable version of a tool. */
export interface ToolVersion {
  readonly id: ToolVersionId;
  readonly name: string;
  readonly version: number;
  /** Over the definition; an approval binds it. */
  readonly digest: Digest;
  readonly definition: ToolDefinition;
}

/** A version with when and by whom it came to be. */
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

/** The head of a tool under change. */
export interface ToolHead {
  readonly name: string;
  readonly removed: boolean;
  readonly current: ToolVersion;
}

/** What the registry's own use cases write. */
export interface ToolRepository extends ToolRegistry {
  /** One change of the registry of a tenant at a time, until the transaction ends. */
  lockForChange(tx: Tx): Promise<void>;
  /** Every head there ever was, locked FOR UPDATE in name order. */
  heads(tx: Tx): Promise<ReadonlyMap<string, ToolHead>>;
  history(tx: Tx, name: string): Promise<{ readonly removed: boolean; readonly versions: readonly RecordedToolVersion[] } | null>;
  addVersion(tx: Tx, version: ToolVersion, createdBy: PersonId, at: number): Promise<void>;
  remove(tx: Tx, name: string, at: number): Promise<void>;
}

/** Which plans that are still alive hold a tool. */
export interface ToolUsage {
  livePlans(tx: Tx, names: readonly string[]): Promise<ReadonlyMap<string, readonly PlanId[]>>;
}

/** What carries out tools in one environment: the environment decides the address and the credential. */
export interface ExecutorRecord {
  readonly id: ExecutorId;
  readonly name: string;
  readonly kind: ExecutorKind;
  /** Null for an agent, which executes and reports by itself. */
  readonly url: string | null;
  /** The aud of grants for it. */
  readonly audience: string;
  /** `name@version` of the secret it is called with. */
  readonly secret: string | null;
  readonly version: number;
  /** Over environment, name, kind, url, audience and secret; an approval binds it. */
  readonly digest: Digest;
}

export interface ExecutorDirectory {
  /** In one query; names without an executor in this environment are absent from the map. */
  resolveMany(
    tx: Tx,
    environmentId: EnvironmentId,
    names: readonly string[],
    options?: ReadOptions,
  ): Promise<ReadonlyMap<string, ExecutorRecord>>;
}

export interface ExecutorRepository extends ExecutorDirectory {
  list(tx: Tx, environmentId: EnvironmentId): Promise<readonly (ExecutorRecord & { readonly updatedAt: number })[]>;
  /** The current record, locked FOR UPDATE. */
  lock(tx: Tx, environmentId: EnvironmentId, name: string): Promise<ExecutorRecord | null>;
  save(tx: Tx, environmentId: EnvironmentId, record: ExecutorRecord, createdBy: PersonId, at: number): Promise<void>;
}

/** The environments of the tenant, as the registry needs them. */
export interface EnvironmentNames {
  byName(tx: Tx, name: string): Promise<{ readonly id: EnvironmentId; readonly name: string } | null>;
}
