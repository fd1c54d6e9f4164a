import type { DispatchOutcome, KeptAnswer } from '#lib/dispatch';
import type { LoggedEvent, PageRequest, TenantId, Tx } from '#lib/kernel';
import type { HookFailure } from '../domain/fill-command.js';
import type { ExecutionEnd, ExecutionState, HookExecution } from '../domain/hook-execution.js';
import type { HookedCall, HookedCaller } from '../domain/hook-event.js';
import type { HookExecutionId, LifecycleHookId } from '../domain/ids.js';
import type { LifecycleHook } from '../domain/lifecycle-hook.js';

/** Hooks of the transaction's tenant. One that Countersign did not seal is left out: it executes nothing (T42). */
export interface HookStore {
  /** In the order of the document. */
  all(tx: Tx): Promise<readonly LifecycleHook[]>;
  /** Until the transaction ends no other one changes a hook of the tenant. */
  lockForChange(tx: Tx): Promise<void>;
  /** These hooks are in force from now on, and no other ones. */
  replace(tx: Tx, hooks: readonly LifecycleHook[]): Promise<void>;
}

export type NewExecution = Omit<HookExecution, 'attempts' | 'createdAt' | 'settledAt'>;

/** An execution that a worker has taken, and by which time it was written. */
export interface ClaimedExecution {
  readonly execution: HookExecution;
  /** The state before. `sent`: a worker died, or still waits, and its lease is over. */
  readonly before: 'pending' | 'sent';
}

export interface ExecutionFilter {
  readonly hook?: string;
  readonly state?: ExecutionState;
}

export interface ExecutionStore {
  /** Those that are pending are due at once. */
  write(tx: Tx, executions: readonly NewExecution[]): Promise<void>;
  /**
   * Leases a due execution as sent, and counts the attempt of one that was pending. Null if it is not due, leased by another worker, or
   * if its pool has enough under way.
   */
  claim(tx: Tx, id: HookExecutionId, leaseMs: number): Promise<ClaimedExecution | null>;
  /** Locks the execution if it is sent by this attempt; null otherwise. */
  lockSent(tx: Tx, id: HookExecutionId, attempt: number): Promise<HookExecution | null>;
  /** Until when an attempt may leave (epoch milliseconds); null if it was settled, or taken over. */
  leasedUntil(tx: Tx, id: HookExecutionId, attempt: number): Promise<number | null>;
  /** Ends it, unless its attempt was taken over. @returns false then. */
  settle(
    tx: Tx,
    id: HookExecutionId,
    attempt: number,
    state: Exclude<ExecutionState, 'pending' | 'sent'>,
    said: ExecutionEnd,
  ): Promise<boolean>;
  /** Nothing ran: it is pending again. */
  giveBack(tx: Tx, id: HookExecutionId, attempt: number, fault: HookFailure | null, delayMs: number): Promise<void>;
  /** Its answer is still awaited: it stays sent, and is looked at again at that time (epoch milliseconds). */
  lookAgain(tx: Tx, id: HookExecutionId, attempt: number, at: number): Promise<void>;
  /** No worker sends it any more: it stays sent without a lease, and is looked at again after so long. */
  release(tx: Tx, id: HookExecutionId, attempt: number, afterMs: number): Promise<void>;
  /** Expires the pending ones of these hooks. */
  expireOf(tx: Tx, hooks: readonly LifecycleHookId[], fault: HookFailure): Promise<number>;
  /** Expires the oldest pending ones beyond this number. @returns how many of each hook. */
  expireBeyond(tx: Tx, most: number, fault: HookFailure): Promise<ReadonlyMap<LifecycleHookId, number>>;
  /** Ends all that are sent as failed, whichever attempt they are in. */
  failSent(tx: Tx, fault: HookFailure): Promise<void>;
  /** Newest first. */
  list(tx: Tx, filter: ExecutionFilter, page: PageRequest): Promise<readonly HookExecution[]>;
  /** The newest of each hook. */
  latest(tx: Tx): Promise<ReadonlyMap<LifecycleHookId, HookExecution>>;
}

/** The facts of calls that audit entries do not repeat. */
export interface HookedCalls {
  /** By the id of the entry; those without a call are absent. */
  of(tx: Tx, events: readonly LoggedEvent[]): Promise<ReadonlyMap<string, HookedCall>>;
}

/** The callers of tools. */
export interface HookedCallers {
  /** By the id of the call or of the run. */
  of(tx: Tx, events: readonly LoggedEvent[]): Promise<ReadonlyMap<string, HookedCaller>>;
}

/** The runners of a pool, as an execution reaches them. */
export interface HookRunners {
  /** Called outside any transaction. @param mayLeaveUntil asked in the transaction that issues the grant. */
  send(
    tenantId: TenantId,
    execution: HookExecution,
    mayLeaveUntil: (tx: Tx) => Promise<number | null>,
  ): Promise<DispatchOutcome>;
  /** The answer to an attempt that a dead worker sent; null if it was never offered. */
  kept(tx: Tx, execution: HookExecution): Promise<KeptAnswer | null>;
}
