import type {
  ApprovalBinding,
  AutonomyDocument,
  EmergencyOverride,
  ExpandedPlan,
  PlanDocument,
  PlanSimulationResult,
  PlanState,
  SimulationState,
} from '#lib/formats';
import type { AutonomyFacts, HaltFacts, PlanFacts, TaskFacts, ToolFacts } from '#lib/policy-inputs';
import type { AgentId, AutonomyRevisionId, Digest, PersonId, PlanId, SimulationId } from '#lib/kernel';
import type { EnvironmentRecord, Submitter, Task } from '#lib/task';
import { environmentDigest } from '#lib/task';
import type { ExecutorRecord, ToolVersion } from '#lib/tool';
import { bindingInForce, bindingOf } from './binding.js';

/** The prediction that counts for a plan: the latest that came to a result, or else the latest there is. */
export interface SubjectSimulation {
  readonly id: SimulationId;
  /** The plan that was simulated. */
  readonly planDigest: string;
  readonly state: SimulationState;
  /** Of the result; null while there is none. */
  readonly digest: string | null;
  /** Its prediction, as it is digested; null while there is none. */
  readonly result: PlanSimulationResult | null;
  /** Epoch milliseconds; null while it runs. */
  readonly finishedAt: number | null;
}

/** A plan revision that passed validation. */
export interface SubjectPlan {
  readonly id: PlanId;
  readonly revision: number;
  readonly state: PlanState;
  readonly digest: Digest;
  /** As it was submitted; its summary is the submitter's own words, and decides nothing. */
  readonly document: PlanDocument;
  readonly expanded: ExpandedPlan;
  readonly submitter: Submitter;
}

/** The records that an approved plan is bound to, and those by which policy decides about its steps, at one moment. */
export interface BoundSubject {
  readonly task: Task;
  readonly environment: EnvironmentRecord;
  readonly plan: Omit<SubjectPlan, 'document'>;
  readonly simulation: Pick<SubjectSimulation, 'id' | 'digest'> | null;
  /** The plan's tools and executors, as the registry has them now. */
  readonly registry: {
    readonly tools: ReadonlyMap<string, ToolVersion>;
    readonly executors: ReadonlyMap<string, ExecutorRecord>;
  };
  /** For policy: the task and the plan as facts, and the tools at the versions that the plan holds. */
  readonly facts: {
    readonly task: TaskFacts;
    readonly plan: PlanFacts;
    readonly tools: Readonly<Record<string, ToolFacts>>;
  };
  readonly autonomy: {
    readonly revisionId: AutonomyRevisionId | null;
    readonly facts: AutonomyFacts | null;
    /** All of it: freezes and escalations are carried out here, not decided from as they stand. */
    readonly document: AutonomyDocument | null;
    /** The document's break-glass block; null if it has none. */
    readonly emergencyOverride: EmergencyOverride | null;
  };
}

/**
 * The whole subject of an approval at one moment: an approver sees it, the approval binds it, and policy decides by it.
 * Read as a whole, so that no two of its parts are of different moments. Discriminated by `type`.
 */
export type ApprovalSubject = PlanSubject;

/** The same of a plan. */
export interface PlanSubject extends BoundSubject {
  readonly type: 'plan';
  readonly plan: SubjectPlan;
  readonly simulation: SubjectSimulation | null;
  /** Who submitted the task's other revisions. */
  readonly otherRevisions: readonly Submitter[];
  /** The people behind each agent that had a hand in it: its accountable people, and the minters of its tokens. */
  readonly answerable: ReadonlyMap<AgentId, readonly PersonId[]>;
  /** The halts that apply. */
  readonly halts: readonly HaltFacts[];
  /** The canary phases of this plan have run; the rest is left. */
  readonly promotion: boolean;
}

/** The binding of an approval of the plan as it was expanded. */
export const plannedBinding = (subject: BoundSubject): ApprovalBinding =>
  bindingOf(subject.plan.expanded, boundOf(subject));

/** The binding by the records in force now. */
export const currentBinding = (subject: BoundSubject): ApprovalBinding =>
  bindingInForce(subject.plan.expanded, boundOf(subject), {
    ...subject.registry,
    environmentDigest: environmentDigest(subject.environment),
  });

const boundOf = (subject: BoundSubject) => ({
  taskDigest: subject.task.digest,
  planDigest: subject.plan.digest,
  simulationDigest: subject.simulation?.digest ?? null,
});
