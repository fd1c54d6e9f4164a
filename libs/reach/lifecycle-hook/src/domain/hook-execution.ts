import type { DispatchOutcome } from '#lib/dispatch';
import type { HookCall } from '#lib/formats';
import { maskedBeginning } from '#lib/kernel';
import type { HookFailure } from './fill-command.js';
import type { HookExecutionId, LifecycleHookId } from './ids.js';

/**
 * The lifecycle of an execution. migrations/0187_lifecycle_hook.sql holds the same rows.
 *
 *   '' ──write──▶ pending ──send──▶ sent ──succeed──▶ succeeded
 *   '' ──refuse──▶ refused   │        ├──fail──▶ failed
 *   '' ──log──▶ succeeded    │        ├──refuse──▶ refused
 *                            │        ├──return──▶ pending
 *                            └─expire─┴──expire──▶ expired
 */
export const EXECUTION_TRANSITIONS = [
  { from: null, event: 'write', to: 'pending' },
  { from: null, event: 'refuse', to: 'refused' },
  { from: null, event: 'log', to: 'succeeded' },
  { from: 'pending', event: 'send', to: 'sent' },
  { from: 'pending', event: 'expire', to: 'expired' },
  { from: 'sent', event: 'succeed', to: 'succeeded' },
  { from: 'sent', event: 'fail', to: 'failed' },
  { from: 'sent', event: 'refuse', to: 'refused' },
  { from: 'sent', event: 'return', to: 'pending' },
  { from: 'sent', event: 'expire', to: 'expired' },
] as const;
export type ExecutionState = (typeof EXECUTION_TRANSITIONS)[number]['to'];

/** An execution of a hook for one event. Times are epoch milliseconds. */
export interface HookExecution {
  readonly id: HookExecutionId;
  readonly hookId: LifecycleHookId;
  /** The name of the hook then. */
  readonly hook: string;
  readonly event: string;
  /** The audit entry that raised it. */
  readonly entryId: string;
  readonly kind: 'log' | 'command';
  /** Null for an entry of the log, and if the values were refused. */
  readonly call: HookCall | null;
  readonly pool: string | null;
  readonly environment: string | null;
  readonly state: ExecutionState;
  readonly attempts: number;
  readonly exitStatus: number | null;
  /** The text that the program wrote, or the message of the log; masked, and its beginning alone. */
  readonly output: string | null;
  readonly fault: HookFailure | null;
  readonly createdAt: number;
  readonly settledAt: number | null;
}

/** The end of an attempt; `later`: nothing ran, and it is tried again. */
export type AttemptEnd =
  | {
      readonly kind: 'settled';
      readonly state: 'succeeded' | 'failed' | 'refused' | 'expired';
      readonly said: ExecutionEnd;
    }
  | { readonly kind: 'later'; readonly fault: HookFailure };

/** The outcome of an execution. */
export type ExecutionEnd = Pick<HookExecution, 'exitStatus' | 'output' | 'fault'>;

/** The most characters of output that are kept. */
const MAX_OUTPUT = 16_384;

/** An execution waits so long for a runner. */
export const WAITS_MS = 600_000;

/** Refusals after which the same call may pass on another runner, or later. */
const PASSING: ReadonlySet<string> = new Set([
  'dispatch.not_taken',
  'dispatch.unreachable',
  'dispatch.overtaken',
  'runner.too_late',
  'runner.restarted',
  'runner.works_elsewhere',
  'grant.expired',
  'grant.not_redeemed',
]);

/**
 * The end of an attempt by the outcome of its call. A program that may have started never starts again: an unclear effect has failed.
 *
 * @param waitedMs since the execution was written.
 */
export function attemptEnd(outcome: DispatchOutcome, waitedMs: number): AttemptEnd {
  if (outcome.kind === 'succeeded') return endOfProgram(outcome.result);
  const { code } = outcome.error;
  const fault = { code, message: maskedBeginning(outcome.error.message, 1_000) };
  const said = { exitStatus: null, output: null, fault };
  if (outcome.kind === 'unknown' || outcome.effect === 'done') return { kind: 'settled', state: 'failed', said };
  if (!PASSING.has(code)) return { kind: 'settled', state: 'refused', said };
  return waitedMs < WAITS_MS ? { kind: 'later', fault } : { kind: 'settled', state: 'expired', said };
}

function endOfProgram(result: unknown): AttemptEnd {
  // A runner's result may be anything: each member is checked below.
  const { exit_status: status, output } = (result ?? {}) as Readonly<Record<string, unknown>>;
  const exitStatus = typeof status === 'number' ? status : null;
  const text = typeof output === 'string' ? maskedBeginning(output, MAX_OUTPUT) : null;
  if (exitStatus === 0) return { kind: 'settled', state: 'succeeded', said: { exitStatus, output: text, fault: null } };
  const how = exitStatus === null ? 'was ended by a signal' : `ended with the exit status ${String(exitStatus)}`;
  const fault = { code: 'lifecycle_hook.exit_status', message: `The program ${how}.` };
  return { kind: 'settled', state: 'failed', said: { exitStatus, output: text, fault } };
}
