import type { OwnExecutorSettings, ToolDefinition } from '#lib/formats';
import type { Digest, ToolVersionId } from '#lib/kernel';
import type { ExecutorId } from './ids.js';

/** One immutable version of a tool. */
export interface ToolVersion {
  readonly id: ToolVersionId;
  readonly name: string;
  readonly version: number;
  /** Over the definition; an approval binds it. */
  readonly digest: Digest;
  readonly definition: ToolDefinition;
}

/** The head of a tool: the version that counts, or counted when it was removed. */
export interface ToolHead {
  readonly name: string;
  readonly removed: boolean;
  readonly current: ToolVersion;
}

/** The executor of tools in one environment: the environment decides the address and the credential. */
export interface ExecutorRecord {
  readonly id: ExecutorId;
  readonly name: string;
  readonly kind: string;
  /** Null for a kind that has no address. */
  readonly url: string | null;
  /** The aud of grants for it. */
  readonly audience: string;
  /** Executors of other environments that say so, too, may have the same audience. */
  readonly sharedAudience: boolean;
  /** `name@version` of the secret it is called with. */
  readonly secret: string | null;
  /** The other settings of its kind. */
  readonly settings: OwnExecutorSettings;
  readonly version: number;
  /** Over environment, name, kind, url, audience, whether that is shared, secret and settings; an approval binds it. */
  readonly digest: Digest;
}

/** The same with the time of its last change, epoch milliseconds. */
export interface StoredExecutor extends ExecutorRecord {
  readonly updatedAt: number;
}
