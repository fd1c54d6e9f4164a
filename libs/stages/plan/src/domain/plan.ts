import type { ExpandedPlan, PlanDocument, PlanState, PlanStatus } from '#lib/formats';
import type { PlanHeadline } from './plan-headline.js';
import type { DecisionId, Digest, FieldError, PlanId, TaskId } from '#lib/kernel';
import type { Submitter } from '#lib/task';

/** One immutable revision of how a task is to be done. */
export interface Plan {
  readonly id: PlanId;
  readonly taskId: TaskId;
  /** 1, 2, 3 … within the task. */
  readonly revision: number;
  readonly state: PlanState;
  /** As it was submitted. */
  readonly document: PlanDocument;
  /** The calls that would be executed; null if the document could not be expanded. */
  readonly expansion: Expansion | null;
  /** The plan in one line; null if the document could not be expanded. */
  readonly headline: PlanHeadline | null;
  /** The mistakes of the document, by step; empty if policy refused it, or nothing did. */
  readonly errors: readonly FieldError[];
  /** The decision of its validation; null if it could not be expanded. */
  readonly decisionId: DecisionId | null;
  readonly submitter: Submitter;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** An expanded plan with the bytes it is stored and digested as. */
export interface Expansion {
  readonly plan: ExpandedPlan;
  /** Canonical JSON. */
  readonly text: string;
  /** Digest of `text`, kind `plan`. */
  readonly digest: Digest;
}

/** A revision that can be simulated, asked approval for, and executed: validated, and not superseded or withdrawn. */
export interface LivePlan extends Plan {
  readonly state: 'validated';
  readonly expansion: Expansion;
}

export const isLive = <P extends Pick<Plan, 'state' | 'expansion'>>(
  plan: P,
): plan is P & Pick<LivePlan, 'state' | 'expansion'> => plan.state === 'validated' && plan.expansion !== null;

/** As much of a live revision as the one that takes its place must know, and its end says. */
export interface LiveRevision extends Pick<LivePlan, 'id' | 'taskId' | 'revision' | 'state'> {
  readonly expansion: Pick<Expansion, 'digest'>;
}

/** A revision as lists show it: without its documents. */
export interface PlanSummary extends Omit<Plan, 'document' | 'expansion' | 'errors' | 'decisionId'> {
  readonly expansion: Pick<Expansion, 'digest'> | null;
}

/** A revision of a list, with its status. */
export interface ListedPlan {
  readonly plan: PlanSummary;
  readonly status: PlanStatus;
}

/** A revision with its status. */
export interface PlanWithStatus {
  readonly plan: Plan;
  readonly status: PlanStatus;
}
