import type { HaltFacts, InFlightCallView } from '#lib/contracts';
import type { AgentId, EnvironmentId, HaltId, PageRequest, RunId, SubjectRef, Tx } from '#lib/kernel';
import type { Halt, HaltEffect, HaltScope, HaltTarget } from '../domain/halt.js';

/**
 * The halts that hold now for what is being decided, as every policy input carries them. Read after the rows of the
 * decision are locked: a halt pauses runs through those same locks, so that a step either sees the halt or has left
 * before it and is listed by it.
 */
export interface HaltReader {
  active(tx: Tx, scope: HaltScope): Promise<readonly HaltFacts[]>;
  /**
   * The same for what no halt pauses through a row of its own: any halt that is just being set is waited for, and none
   * is set until this transaction ends, so that it sees the grant that this transaction issues.
   */
  activeNow(tx: Tx, scope: HaltScope): Promise<readonly HaltFacts[]>;
  find(tx: Tx, id: HaltId): Promise<Halt | null>;
}

export interface HaltRepository extends HaltReader {
  insert(tx: Tx, halt: Halt): Promise<void>;
  saveEffect(tx: Tx, id: HaltId, effect: HaltEffect): Promise<void>;
  lock(tx: Tx, id: HaltId): Promise<Halt | null>;
  saveLifted(tx: Tx, halt: Halt): Promise<void>;
  /** Newest first. */
  list(tx: Tx, page: PageRequest & { readonly active: boolean | null }): Promise<readonly Halt[]>;
}

/** Whether what somebody wants to halt is there at all: a halt on a misspelt name would stop nothing. */
export interface HaltTargets {
  environmentByName(tx: Tx, name: string): Promise<{ readonly id: EnvironmentId; readonly name: string } | null>;
  agentExists(tx: Tx, id: AgentId): Promise<boolean>;
  /** Also a tool that was removed: runs may still hold it. */
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

/** Implemented by the run engine: what has been dispatched and not been heard of. */
export interface InFlightReader {
  list(tx: Tx, target: HaltTarget): Promise<readonly InFlightCallView[]>;
}

/** What a halt revokes; grants of rollbacks stay good. */
export type RevokedGrants =
  | { readonly kind: 'tenant' }
  | { readonly kind: 'environment'; readonly environment: string }
  | { readonly kind: 'tool'; readonly tool: string }
  | { readonly kind: 'sources'; readonly sources: readonly SubjectRef<'run', RunId>[] };

/** Revokes grants that nobody has redeemed yet (libs/registry/dispatch). */
export interface GrantRevoker {
  /** @returns how many. */
  revoke(tx: Tx, selector: RevokedGrants, reason: string): Promise<number>;
}
