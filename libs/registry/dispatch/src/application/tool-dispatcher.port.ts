import type { Json, JsonObject } from '#lib/canonical';
import type { GrantClaims, GrantedLine, GrantedMcpTool, OwnExecutorSettings } from '#lib/formats';
import type { TenantId, Tx } from '#lib/kernel';

/** The thing that a call is made for. */
export type GrantSource = GrantClaims['source'];

/** The content of a grant for one call, and the time until which it may be issued. */
export interface GrantOrder {
  readonly tenantId: TenantId;
  readonly environment: string;
  readonly basis: GrantClaims['basis'];
  readonly source: GrantSource;
  /** The run step's id; for a simulation, the call's number; for a single call, its id. */
  readonly step: string;
  /** 1-based. */
  readonly attempt: number;
  readonly tool: { readonly name: string; readonly version: number };
  readonly executor: { readonly audience: string };
  readonly argumentsDigest: string;
  readonly planDigest: string | null;
  /** The judged command line of the call; null for a tool that takes none. */
  readonly shell: GrantedLine | null;
  /** The definition for which alone a runner makes the call. Absent for any other tool than one of an MCP server on a runner. */
  readonly onRunner?: GrantedMcpTool;
  /** The agent's session that a runner carries the call out for; absent for any other call. */
  readonly session?: string;
  /**
   * Until when the call may still leave (epoch milliseconds), or null if it may not any more. Asked in the transaction that
   * issues the grant, if that is not the one that committed the call. Left out: it may.
   */
  readonly mayLeaveUntil?: (tx: Tx) => Promise<number | null>;
  /** The grant, if its row was written with the call. */
  readonly ahead?: GrantAhead;
}

/** A grant that the transaction of its call has recorded. It is signed when the call leaves. */
export interface GrantAhead {
  readonly id: string;
  /** Epoch milliseconds, by the database's clock. */
  readonly issuedAt: number;
  readonly expiresAt: number;
  /**
   * The last moment at which that transaction's checks still hold for the call: milliseconds of this process's
   * monotonic clock.
   */
  readonly freshUntil: number;
}

/** One call to one tool, fully decided. Its builder has the authority: it is dispatched as it stands. */
export interface DispatchOrder extends GrantOrder {
  readonly tool: {
    readonly name: string;
    readonly version: number;
    readonly timeLimitSeconds: number;
    /** Whether a second call does no more than the first. */
    readonly idempotent: boolean;
    /** The definition at an upstream MCP server for which alone the call may leave; absent for any other tool. */
    readonly mcp?: { readonly tool: string; readonly digest: string };
  };
  readonly executor: {
    readonly name: string;
    readonly kind: string;
    /** Null if nothing is called. */
    readonly url: string | null;
    readonly audience: string;
    /** A secret sent as a bearer token to the executor, `name@version`, or null. */
    readonly secret: string | null;
    /** The other settings of its kind. */
    readonly settings: OwnExecutorSettings;
  };
  /** As approved; `{"$secret":"name@version"}` values are resolved here, at dispatch. */
  readonly arguments: JsonObject;
  /** Whether the call gets the values of the secrets that its arguments name. A simulation does only if its tool says so. */
  readonly withSecrets: boolean;
  /** The same for every attempt of an idempotent step, so that a tool server may recognise a retry. */
  readonly idempotencyKey: string;
}

/**
 * The outcome of a call. `failed` with effect `not_started` promises that nothing changed. `unknown` means that the
 * call may have reached the tool, and its effect cannot be known (invariant 6).
 */
export type DispatchOutcome =
  | { readonly kind: 'succeeded'; readonly result: Json }
  | FailedCall
  | { readonly kind: 'unknown'; readonly error: DispatchError };

interface FailedCall {
  readonly kind: 'failed';
  readonly effect: 'not_started' | 'done';
  readonly error: DispatchError;
}

export interface DispatchError {
  readonly code: string;
  readonly message: string;
}

/** The outcome; or `offered`: the call waits to be fetched, and its outcome is reported later. */
export type Dispatched = DispatchOutcome | { readonly kind: 'offered' };

/** The code of a call that its executor fetches, and did not take in time. It did not start, and the next offer may be taken. */
export const NOT_TAKEN = 'dispatch.not_taken';

/** The outcome of a call that did not leave. */
export const notStarted = (code: string, message: string): FailedCall => ({
  kind: 'failed',
  effect: 'not_started',
  error: { code, message },
});

/** Sends a call to its executor, under a grant. Called outside any transaction; never throws for the tool's faults. */
export interface ToolDispatcher {
  dispatch(order: DispatchOrder): Promise<Dispatched>;
}
