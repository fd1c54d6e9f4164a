import {
  actorOf,
  type AuditSink,
  err,
  type Failure,
  type JobQueue,
  type AutonomyRevisionId,
  newId,
  notFound,
  ok,
  type PlanId,
  type Principal,
  type Result,
  type SimulationId,
  type UnitOfWork,
  inPlan,
} from '#lib/kernel';
import { stateInWords } from '#lib/words';
import type { HaltReader } from '#lib/halt';
import { BEFORE_APPROVAL, isLive, type Plan, planFacts, planInput, taskFacts } from '#lib/plan';
import { actorFacts, type PolicyDecisionPoint, type RecordedDecision } from '#lib/policy';
import { mayChangeTask, submitterOf } from '#lib/task';
import { haltScopeOf } from '../domain/halt-scope.js';
import type { PendingSimulation } from '../domain/simulation.js';
import { planToSimulate } from '../domain/simulation-calls.js';
import type { SimulationRepository } from './simulation.ports.js';
import type { StartFactsReader } from './start-facts.js';

/** A simulation that was asked for, and the decision that allowed it. */
export interface StartedSimulation {
  readonly simulation: PendingSimulation;
  readonly decision: RecordedDecision;
  /** The autonomy document that it was decided by. */
  readonly autonomyRevisionId: AutonomyRevisionId | null;
}

/** The ports that {@link StartSimulation} needs. */
export interface StartSimulationPorts {
  readonly uow: UnitOfWork;
  readonly facts: StartFactsReader;
  readonly halts: HaltReader;
  readonly policy: Pick<PolicyDecisionPoint, 'decide' | 'lockBundleHead'>;
  readonly simulations: Pick<SimulationRepository, 'insert'>;
  readonly jobs: JobQueue;
  readonly audit: AuditSink;
}

/** Asks for a prediction of a plan. */
export class StartSimulation {
  constructor(private readonly ports: StartSimulationPorts) {}

  /**
   * The pending simulation; a worker computes it. `simulation.plan_not_live`, `simulation.already_active`,
   * `simulation.task_not_planned`, `simulation.no_tool` (nothing predicts one of the tools), `task.not_yours`, or
   * `policy.denied` with the reasons, which is recorded.
   */
  async execute(principal: Principal, planId: PlanId): Promise<Result<StartedSimulation>> {
    const submitter = submitterOf(principal);
    if (!submitter.ok) return submitter;
    const { uow, facts, halts, policy, simulations, jobs, audit } = this.ports;
    return uow.run(principal.tenantId, async (tx) => {
      // Sent together, the bundle's lock first.
      const [, held] = await Promise.all([policy.lockBundleHead(tx), facts.hold(tx, planId)]);
      if (held === null) return err(notFound('plan'));
      const { plan, task, environment, tools, active, now } = held;
      const allowed = mayChangeTask(principal, task, held.ownerId);
      if (!allowed.ok) return allowed;
      if (!isLive(plan)) return err(notLive(plan));
      if (task.state !== 'planned') return err(notPlanned(task.state));
      if (active !== null) return err(alreadyActive(active));
      const prepared = planToSimulate(plan.expansion.plan, tools);
      if (!prepared.ok) return prepared;
      const within = inPlan({ taskId: task.id, planId: plan.id });
      const decided = await policy.decide(
        tx,
        'plan',
        planInput(
          {
            stage: 'simulate',
            tenantId: tx.tenantId,
            now,
            actor: actorFacts(principal),
            task: taskFacts(task),
            environment,
            facts: planFacts({ id: plan.id, digest: plan.expansion.digest, expanded: plan.expansion.plan }, tools),
            autonomy: held.autonomy?.document ?? null,
            halts: await halts.active(tx, haltScopeOf(task, plan.submitter, prepared.value)),
          },
          BEFORE_APPROVAL,
        ),
        { subject: { type: 'plan', id: plan.id }, within },
      );
      const about = {
        actor: actorOf(principal),
        level: decided.decision.obligations.audit_level,
        within,
        decisionId: decided.id,
      };
      if (decided.decision.outcome === 'deny') {
        await audit.record(tx, {
          ...about,
          action: 'simulation.refused',
          subject: { type: 'plan', id: plan.id },
          payload: {
            plan_digest: plan.expansion.digest,
            reasons: decided.decision.reasons.map((reason) => reason.code),
          },
        });
        return err({
          kind: 'forbidden',
          code: 'policy.denied',
          message: 'Policy does not let this plan be simulated.',
          action: 'Read the reasons, and fix each of them.',
          reasons: decided.decision.reasons,
        });
      }
      const simulation: PendingSimulation = {
        id: newId<SimulationId>(),
        planId: plan.id,
        planDigest: plan.expansion.digest,
        decisionId: decided.id,
        submitter: submitter.value,
        state: 'pending',
        fence: 0,
        nextAt: now,
        createdAt: now,
      };
      await simulations.insert(tx, simulation);
      await audit.record(tx, {
        ...about,
        action: 'simulation.requested',
        subject: { type: 'simulation', id: simulation.id },
        payload: { plan_digest: plan.expansion.digest, calls: prepared.value.length },
      });
      await jobs.enqueue(tx, 'simulation.execute', simulation.id);
      return ok({ simulation, decision: decided, autonomyRevisionId: held.autonomy?.revisionId ?? null });
    });
  }
}

const notLive = (plan: Pick<Plan, 'state'>): Failure => ({
  kind: 'conflict',
  code: 'simulation.plan_not_live',
  message: `The plan is ${stateInWords(plan.state)}.`,
  action: "Simulate the task's live revision, or submit a new one.",
  details: { plan_state: plan.state },
});

const notPlanned = (state: string): Failure => ({
  kind: 'conflict',
  code: 'simulation.task_not_planned',
  message: `The task is ${stateInWords(state)}.`,
  action: state === 'executing' ? 'Wait for the run to end.' : 'Create a new task.',
  details: { task_state: state },
});

const alreadyActive = (id: SimulationId): Failure => ({
  kind: 'conflict',
  code: 'simulation.already_active',
  message: 'This plan is being simulated already.',
  action: 'Read that simulation until it has a result.',
  details: { simulation_id: id },
});
