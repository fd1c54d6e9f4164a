import type { Json, JsonObject } from '#lib/canonical';
import type { GrantClaims, OwnExecutorSettings } from '#lib/formats';
import type { AgentId, EnvironmentId, RunId, RunStepId, TenantId, Tx } from '#lib/kernel';

/** The thing that a call is made for. */
export type GrantSource = GrantClaims['source'];

/** The content of a grant for one call, and the time until which it may be issued. */
export interface GrantOrder {
  readonly tenantId: TenantId;
  readonly environment: string;
  readonly basis: GrantClaims['basis'];
  readonly source: GrantSource;
  /** The run step's id; for a simulation, the call's number. */
  readonly step: string;
  /** 1-based. */
  readonly attempt: number;
  readonly tool: { readonly name: string; readonly version: number };
  readonly executor: { readonly audience: string };
  readonly argumentsDigest: string;
  readonly planDigest: string | null;
  /**
   * Until when the call may still leave (epoch milliseconds), or null where it may not any more. Asked in the transaction that
   * issues the grant, long after the call was decided where a worker stood still in between. Left out: it may.
   */
  readonly mayLeaveUntil?: (tx: Tx) => Promise<number | null>;
  /** The same of a call of a run, in words that the database decides by itself. */
  readonly out?: OutCall;
}

/** A call of a run that was committed as dispatched. */
export interface OutCall {
  readonly runId: RunId;
  readonly stepId: RunStepId;
  readonly fence: number;
  /** When it was committed as dispatched, and the end of its lease: epoch milliseconds, by the database's clock. */
  readonly dispatchedAt: number;
  readonly leaseUntil: number;
  /** The halts that keep it from leaving; null for a call that undoes a step. */
  readonly halts: {
    readonly environmentId: EnvironmentId;
    readonly agentIds: readonly AgentId[];
    readonly tools: readonly string[];
  } | null;
}

/** One call to one tool, fully decided. Its builder has the authority: it is dispatched as it stands. */
export interface DispatchOrder extends GrantOrder {
  readonly tool: { readonly name: string; readonly version: number; readonly timeLimitSeconds: number };
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
  /** Whether the call gets the values of the secrets that its arguments name: a simulation does only if its tool says so. */
  readonly withSecrets: boolean;
  /** The same for every attempt of an idempotent step, so that a tool server may recognise a retry. */
  readonly idempotencyKey: string;
}

/**
 * The outcome of a call. `failed` with effect `not_started` promises that nothing changed; `unknown` means that the
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
