import type { BoundSubject } from '#lib/approval';
import type { ApprovalBinding } from '#lib/formats';
import type { ApprovalFacts } from '#lib/policy-inputs';
import type { Actor, AgentId, Tx } from '#lib/kernel';
import type { Run } from '../domain/run.js';
import type { ActiveHalt } from './bound-records.port.js';

/** Everything that stands before a run in the order of locks, locked and read. */
export interface RunContext {
  readonly subject: BoundSubject;
  /** The roles that the starter of the run holds now; a freeze looks at them. */
  readonly starterRoles: readonly string[];
  /** The consumed request behind the run as it stands now; null if policy asked for no approval. */
  readonly approval: ApprovalFacts | null;
  /** People with an approval that counts, and disabled by now. */
  readonly disabledReviewers: readonly string[];
  /** The binding of the approval, or of the plan if there is none. */
  readonly binding: ApprovalBinding;
  /** The halts in force of the tenant, the environment, the submitting agents and the plan's tools. */
  readonly halts: readonly ActiveHalt[];
}

/** @throws {Error} for an action that was decided without it. */
export function requireContext(context: RunContext | null): RunContext {
  if (context === null) throw new Error('nothing is locked that stands before the run');
  return context;
}

/** The agents that submitted the task and the plan: a halt of one stops the run. */
export const agentsOf = ({ subject }: Pick<RunContext, 'subject'>): readonly AgentId[] =>
  [subject.task.submitter, subject.plan.submitter].flatMap((submitter) =>
    submitter.kind === 'agent' ? [submitter.id] : [],
  );

/** A run that has changed its state. */
export interface RunMoved {
  readonly run: Run;
  /** Of the run's own event: `run.paused`. */
  readonly type: `run.${string}`;
  readonly actor: Actor;
  readonly at: number;
}

/** Told in the transaction of every move of a run, with the run's row locked. */
export interface RunMovedListener {
  runMoved(tx: Tx, moved: RunMoved): Promise<void>;
}

/** How this installation executes. */
export interface RunSettings {
  /** How much longer than a tool's time limit its answer is waited for before its worker counts as lost. */
  readonly leaseMarginMs: number;
  /** Multiplies the waits after batches; 1 but in a demonstration, and other values say so in the run's events. */
  readonly waitScale: number;
  /** The sum of the pauses between the offers of a call that its executor does not take, in milliseconds. */
  readonly offerPausesMs: number;
}

/** When to advance a run again: at once, at a time (epoch milliseconds), or not before something happens to it. */
export type Again =
  | { readonly when: 'now' }
  | { readonly when: 'at'; readonly at: number }
  | { readonly when: 'never' };
