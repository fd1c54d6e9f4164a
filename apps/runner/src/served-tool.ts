import type { JsonObject } from '#lib/canonical';
import type { AdvertisedTool, GrantClaims } from '#lib/formats';
import type { OutputChunk, ToolOutcome } from '#lib/workspace';

/** The context of one call of a tool. */
export interface CallContext {
  /** The claims of the grant that was verified and redeemed. */
  readonly claims: GrantClaims;
  /** Aborts when the answer counts no more, or the runner is revoked. */
  readonly signal: AbortSignal;
  readonly output: (chunk: OutputChunk) => void;
  /** Values that are masked in output and results. */
  readonly secretsToMask: readonly string[];
}

/** A tool that the runner serves. */
export interface ServedTool extends AdvertisedTool {
  /** Whether it changes nothing. */
  readonly reads: boolean;
  readonly call: (callArguments: JsonObject, context: CallContext) => Promise<ToolOutcome>;
}

export type ServedTools = ReadonlyMap<string, ServedTool>;
