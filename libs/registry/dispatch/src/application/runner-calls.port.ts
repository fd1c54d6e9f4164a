import type { ToolCallResponse } from '#lib/formats';
import type { TenantId, Tx } from '#lib/kernel';
import type { McpDefinition } from '#lib/mcp-client';
import type { SentCallName } from './kept-answers.port.js';
import type { DispatchOrder } from './tool-dispatcher.port.js';

/** A call for a runner of a pool, with its grant. */
export interface RunnerCall extends Pick<
  DispatchOrder,
  'tenantId' | 'environment' | 'source' | 'step' | 'attempt' | 'tool' | 'arguments' | 'withSecrets' | 'idempotencyKey'
> {
  readonly pool: string;
  /** The name of the executor. */
  readonly executor: string;
  readonly grant: string;
}

/**
 * The end of a call. `not_taken` promises that no runner has it, and that none will take it. `lost`: a runner took it, and did not
 * answer within the time limit, or was revoked before it did.
 */
export type RunnerCallEnd =
  | { readonly kind: 'answered'; readonly answer: ToolCallResponse }
  | { readonly kind: 'not_taken' }
  | { readonly kind: 'lost'; readonly runner: { readonly name: string; readonly revoked: boolean } };

/** A call that was offered, as it stands: its end, or until when it is open (epoch milliseconds). */
export interface StandingRunnerCall {
  readonly pool: string;
  readonly standing: RunnerCallEnd | { readonly kind: 'open'; readonly until: number };
}

/**
 * `online`: a runner that works in the environment called a moment ago, or one has yet to name its environments.
 * `offline`: there is such a runner, and none of them called; others of the pool may have. `elsewhere`: runners were
 * added for the environment, and none works in it, as each said last. `none`: no runner was added for it.
 */
export type PoolReach = 'online' | 'elsewhere' | 'offline' | 'none';

/** An MCP server as the runners of a pool advertise it: each runner that is online and lists it. */
export interface PoolMcpServer {
  readonly reach: PoolReach;
  readonly onRunners: readonly { readonly problem: string | null; readonly tools: readonly McpDefinition[] }[];
}

/** Calls that runners fetch. A call is taken by one runner, and never given to another one. */
export interface RunnerCalls {
  /** Whether a runner of the pool takes calls of the environment. */
  reach(tenantId: TenantId, pool: string, environment: string): Promise<PoolReach>;
  /** An MCP server of the pool, for an environment, by the name that the operators of its runners give it. */
  mcpServer(tenantId: TenantId, pool: string, environment: string, server: string): Promise<PoolMcpServer>;
  /** Offers the call to the pool. Resolves with its end, at the latest after the time limit of the tool. */
  carryOut(call: RunnerCall): Promise<RunnerCallEnd>;
  /** A call that was offered before, locked until the transaction ends. It ends now if its time is over. Null if there is none. */
  standing(tx: Tx, call: SentCallName): Promise<StandingRunnerCall | null>;
}
