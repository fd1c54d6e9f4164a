import type { JsonObject } from '#lib/canonical';
import type { ServerOnRunner } from '#lib/dispatch';
import type { Digest, TenantId, Tx } from '#lib/kernel';
import type { McpDefinition } from '#lib/mcp-client';
import type { ExecutorId } from '#lib/tool';

/** An upstream MCP server: an executor of kind mcp, in one environment. */
export interface McpServerRecord {
  readonly id: ExecutorId;
  /** The environment, by name. */
  readonly environment: string;
  readonly name: string;
  readonly url: string | null;
  readonly secret: string | null;
  /** Its place on runners, which start it over stdio; null for a server that has an address. */
  readonly onRunner: ServerOnRunner | null;
}

/** The last look at a server. */
export interface McpLook {
  /** Null before the first one. */
  readonly lookedAt: number | null;
  /** The reason for its failure; null if it did not. */
  readonly problem: string | null;
  /** Those of the last look that did not fail. */
  readonly tools: readonly McpDefinition[];
}

/** A server with the last look at it. */
export interface LookedServer {
  readonly server: McpServerRecord;
  readonly look: McpLook;
}

/** Looks, and the definitions that people accepted. */
export interface McpLooks {
  all(tx: Tx): Promise<readonly LookedServer[]>;
  named(tx: Tx, environment: string, name: string): Promise<LookedServer | null>;
  /** Locked until the transaction ends. */
  lock(tx: Tx, id: ExecutorId): Promise<LookedServer | null>;
  /** Puts the next look off, so that no other worker begins one. */
  putOff(tx: Tx, id: ExecutorId, until: number): Promise<void>;
  save(tx: Tx, id: ExecutorId, look: McpLook): Promise<void>;
  /** Keeps a definition for good, once. */
  keep(tx: Tx, digest: Digest, definition: JsonObject, at: number): Promise<void>;
  kept(tx: Tx, digests: readonly string[]): Promise<ReadonlyMap<string, JsonObject>>;
}

/** The answer of a server to a look, or why there is none. */
export type McpAnswer =
  | { readonly ok: true; readonly tools: readonly McpDefinition[] }
  | { readonly ok: false; readonly problem: string };

/** Asks a server for its tools, through the guarded way out (T31). */
export interface McpServerReader {
  read(tenantId: TenantId, server: McpServerRecord): Promise<McpAnswer>;
}
