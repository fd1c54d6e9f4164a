import {
  compareBindings,
  currentBinding,
  plannedBinding,
  planOutdated,
  type PlanSubject,
  type SubjectPlan,
} from '#lib/approval';
import type { ApprovedTerms, Decision } from '#lib/formats';
import { err, ok, type DecisionId, type Failure, type IncidentId, type Result, type SimulationId } from '#lib/kernel';

/** A decision of the `break_glass` entrypoint, recorded. */
export interface BreakGlassDecision {
  readonly id: DecisionId;
  readonly decision: Decision;
}

/**
 * The authority to execute one plan past approval, autonomy mode, freezes and simulation, once, in the transaction that
 * made it. There is no other way to have one than to pass the check of {@link BreakGlassAuthority.byDecision}.
 */
export class BreakGlassAuthority {
  // Nominal: nothing that merely looks like it is one.
  readonly #invoked = true;

  private constructor(
    readonly subject: PlanSubject,
    /** The incident that opens with it. */
    readonly incidentId: IncidentId,
    /** The prediction that the outcome is compared with; null if no prediction has a result. */
    readonly simulationId: SimulationId | null,
    readonly terms: ApprovedTerms,
    /** All phases; the rest after a canary. */
    readonly phases: 'all' | 'promotion',
    readonly decisionId: DecisionId,
    readonly at: number,
  ) {}

  /** The expanded plan revision, exactly as it is executed. */
  get plan(): SubjectPlan {
    return this.subject.plan;
  }

  /** False only for a forgery that bypasses the type. */
  static isGenuine(value: object): value is BreakGlassAuthority {
    return #invoked in value && value.#invoked;
  }

  /**
   * From a decision that allows it, if no record that the plan was expanded from has changed.
   *
   * @returns `break_glass.plan_not_live`, `approval.plan_outdated`, or `policy.denied`.
   */
  static byDecision(
    subject: PlanSubject,
    { id, decision }: BreakGlassDecision,
    incidentId: IncidentId,
    now: number,
  ): Result<BreakGlassAuthority> {
    if (decision.outcome !== 'allow') return err(denied(decision));
    const { plan, task, simulation, promotion } = subject;
    if (plan.state !== 'validated' || task.state !== 'planned') return err(notLive(plan.state, task.state));
    const differences = compareBindings(plannedBinding(subject), currentBinding(subject));
    if (differences.length > 0) return err(planOutdated(differences));
    const simulationId = simulation?.digest == null ? null : simulation.id;
    const { outcome, obligations, effective } = decision;
    const phases = promotion ? 'promotion' : 'all';
    const terms = { outcome, obligations, effective };
    return ok(new BreakGlassAuthority(subject, incidentId, simulationId, terms, phases, id, now));
  }
}

const denied = ({ reasons }: Decision): Failure => ({
  kind: 'forbidden',
  code: 'policy.denied',
  message: reasons.map((reason) => reason.message).join('; '),
  action: 'Read the reasons, and fix each of them.',
  reasons,
});

const notLive = (plan: string, task: string): Failure => ({
  kind: 'conflict',
  code: 'break_glass.plan_not_live',
  message: `The plan is ${plan} and its task is ${task}.`,
  action: 'Break the glass for the live revision of a task that is planned.',
  details: { plan_state: plan, task_state: task },
});
