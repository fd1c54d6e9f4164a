import type { HaltFacts } from '#lib/policy-inputs';
import type {
  AgentId,
  EnvironmentId,
  HaltId,
  PageRequest,
  Principal,
  RunId,
  SubjectRef,
  ToolCallId,
  Tx,
} from '#lib/kernel';
import type { Halt, HaltEffect, HaltScope, HaltTarget, InFlightCall, LiftedHalt } from '../domain/halt.js';

/**
 * Reads the halts in force for a decision. Every policy input carries them. Call it after the rows of the decision are
 * locked: a halt pauses runs through the same locks. So a step either sees the halt, or left before it and is listed by it.
 */
export interface HaltReader {
  active(tx: Tx, scope: HaltScope): Promise<readonly HaltFacts[]>;
  /** The same for every tool of the scope by itself. A tool that no halt covers is left out. */
  activeByTool(tx: Tx, scope: HaltScope): Promise<ReadonlyMap<string, readonly HaltFacts[]>>;
  /**
   * Keeps halts from being set until this transaction ends, and waits for one that is being set. A call outside a run has no row
   * that a halt pauses. So the halt sees the grant that this transaction issues. Nothing is awaited here: the next statement of
   * the transaction runs once no halt can come.
   */
  keepOff(tx: Tx): void;
  /** The halts in force, {@link keepOff} included. */
  activeNow(tx: Tx, scope: HaltScope): Promise<readonly HaltFacts[]>;
  find(tx: Tx, id: HaltId): Promise<Halt | null>;
}

/** The halts of a tenant. */
export interface HaltRepository extends HaltReader {
  insert(tx: Tx, halt: Halt): Promise<void>;
  saveEffect(tx: Tx, id: HaltId, effect: HaltEffect): Promise<void>;
  lock(tx: Tx, id: HaltId): Promise<Halt | null>;
  saveLifted(tx: Tx, halt: LiftedHalt): Promise<void>;
  /** Newest first. */
  list(tx: Tx, page: PageRequest & { readonly active: boolean | null }): Promise<readonly Halt[]>;
}

/** Checks that a target exists: a halt on a misspelt name would stop nothing. */
export interface HaltTargets {
  environmentByName(tx: Tx, name: string): Promise<{ readonly id: EnvironmentId; readonly name: string } | null>;
  agentExists(tx: Tx, id: AgentId): Promise<boolean>;
  /** True for a removed tool too: runs may still hold it. */
  toolExists(tx: Tx, name: string): Promise<boolean>;
}

/** Implemented by the run engine. */
export interface RunPauser {
  /**
   * Asks every run that the target covers to pause, waiting for steps that are being committed.
   *
   * @returns the runs that were asked.
   */
  requestPause(
    tx: Tx,
    target: HaltTarget,
    halt: { readonly id: HaltId; readonly reason: string },
  ): Promise<readonly RunId[]>;
}

/** The effect of a halt on single calls. */
export interface StoppedCalls {
  readonly denied: readonly ToolCallId[];
  readonly inFlight: readonly (InFlightCall & { readonly tool_call_id: ToolCallId })[];
}

/** Implemented by the gate of single calls. */
export interface CallStopper {
  /** Denies the calls that the target covers and that wait for people, or were allowed and have not left. Lists those that have. */
  stopCalls(
    tx: Tx,
    target: HaltTarget,
    by: { readonly principal: Principal; readonly at: number; readonly halt: Pick<Halt, 'id' | 'reason'> },
  ): Promise<StoppedCalls>;
}

/** Implemented by the run engine: lists calls that were dispatched and not answered. */
export interface InFlightReader {
  list(tx: Tx, target: HaltTarget): Promise<readonly InFlightCall[]>;
}

/** The grants that a halt revokes. Grants of rollbacks stay valid. */
export type RevokedGrants =
  | { readonly kind: 'tenant' }
  | { readonly kind: 'environment'; readonly environment: string }
  | { readonly kind: 'tool'; readonly tool: string }
  | {
      readonly kind: 'sources';
      readonly sources: readonly (SubjectRef<'run', RunId> | SubjectRef<'tool_call', ToolCallId>)[];
    };

/** Revokes unredeemed grants (libs/registry/dispatch). */
export interface GrantRevoker {
  /** @returns how many. */
  revoke(tx: Tx, selector: RevokedGrants, reason: string): Promise<number>;
}
