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
import type { HaltFacts, TaskFacts } from '#lib/policy-inputs';
import type { PlanPolicyFacts } from '#lib/plan';
import type { AgentId, Digest, PersonId, PlanId, SimulationId } from '#lib/kernel';
import type { EnvironmentRecord, Submitter, Task } from '#lib/task';
import { environmentDigest } from '#lib/task';
import type { CallSubject } from './call-subject.js';
import type { SubjectAutonomy, SubjectRegistry } from './subject-records.js';
import { bindingInForce, bindingOf, heldIn, type BoundRecords } from './binding.js';

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

/** The records that an approved plan is bound to, and those by which policy decides its steps, at one moment. */
export interface BoundSubject {
  readonly task: Task;
  readonly environment: EnvironmentRecord;
  readonly plan: Omit<SubjectPlan, 'document'>;
  readonly simulation: Pick<SubjectSimulation, 'id' | 'digest'> | null;
  /** The plan's tools and executors, as the registry has them now. */
  readonly registry: SubjectRegistry;
  /** For policy: the task and the plan as facts, and the tools at the versions that the plan holds. */
  readonly facts: PlanPolicyFacts & { readonly task: TaskFacts };
  readonly autonomy: SubjectAutonomy & {
    /** All of it: freezes and escalations are carried out here, not decided from as they stand. */
    readonly document: AutonomyDocument | null;
    /** The document's break-glass block; null if it has none. */
    readonly emergencyOverride: EmergencyOverride | null;
  };
}

/**
 * The whole subject of an approval at one moment. An approver sees it, the approval binds it, and policy decides by it.
 * Read as a whole, so that no two of its parts are of different moments. Discriminated by `type`.
 */
export type ApprovalSubject = PlanSubject | CallSubject;

/** The whole subject that is a plan. */
export interface PlanSubject extends BoundSubject {
  readonly type: 'plan';
  readonly plan: SubjectPlan;
  readonly simulation: SubjectSimulation | null;
  /** The submitters of the task's other revisions. */
  readonly otherRevisions: readonly Submitter[];
  /** The people behind each agent that had a hand in it: its accountable people, and the minters of its tokens. */
  readonly answerable: ReadonlyMap<AgentId, readonly PersonId[]>;
  /** The halts that apply. */
  readonly halts: readonly HaltFacts[];
  /** The canary phases of this plan have run; the rest is left. */
  readonly promotion: boolean;
}

/** The binding of an approval of the plan as it was expanded, or of the call as it was submitted. */
export const plannedBinding = (subject: BoundSubject | CallSubject): ApprovalBinding => bindingOf(boundOf(subject));

/** The binding by the records in force now. */
export const currentBinding = (subject: BoundSubject | CallSubject): ApprovalBinding =>
  bindingInForce(boundOf(subject), {
    ...subject.registry,
    environmentDigest: environmentDigest(subject.environment),
  });

function boundOf(subject: BoundSubject | CallSubject): BoundRecords {
  if ('call' in subject) {
    const { call } = subject;
    return {
      subject: { tool_call: call.digest },
      environmentDigest: call.environmentDigest,
      held: [{ tool: call.tool, executor: call.executor }],
    };
  }
  const { plan, task, simulation } = subject;
  return {
    subject: { plan: plan.digest, task: task.digest, simulation: simulation?.digest ?? null },
    environmentDigest: plan.expanded.environment.digest,
    held: heldIn(plan.expanded),
  };
}
