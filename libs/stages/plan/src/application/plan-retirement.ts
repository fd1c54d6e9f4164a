import { actorOf, type AuditSink, err, ok, type Result, type Tx, inPlan } from '#lib/kernel';
import type { PlanSummary } from '../domain/plan.js';
import { nextPlanState } from '../domain/plan-transitions.js';
import type { PlanRepository, PlanSuperseded, PlanSupersededListener } from './plan.ports.js';

/** As much of a plan as its end says. */
type RetiringPlan = Pick<PlanSummary, 'id' | 'taskId' | 'revision' | 'state' | 'expansion'>;

/** Takes a live plan out of use, and tells the listeners that depend on it in the same transaction. */
export class PlanRetirement {
  constructor(
    private readonly plans: PlanRepository,
    private readonly audit: AuditSink,
    private readonly listeners: readonly PlanSupersededListener[],
  ) {}

  /** The plan must be locked. `plan.illegal_transition` with nothing done, for one that is not live. */
  async retire<Retiring extends RetiringPlan>(
    tx: Tx,
    plan: Retiring,
    event: Omit<PlanSuperseded, 'planId' | 'taskId'>,
  ): Promise<Result<Omit<Retiring, 'state'> & Pick<PlanSummary, 'state' | 'updatedAt'>>> {
    const next = nextPlanState(plan.state, event.cause === 'superseded' ? 'supersede' : 'withdraw');
    if (!next.ok) return err(next.error);
    await this.plans.setState(tx, plan.id, next.value, event.at);
    await this.audit.record(tx, {
      action: next.value === 'superseded' ? 'plan.superseded' : 'plan.withdrawn',
      actor: actorOf(event.principal),
      level: 'full',
      subject: { type: 'plan', id: plan.id },
      within: inPlan({ taskId: plan.taskId, planId: plan.id }),
      payload: {
        revision: plan.revision,
        plan_digest: plan.expansion?.digest ?? null,
        cause: event.cause,
        superseded_by: event.supersededBy,
      },
    });
    for (const listener of this.listeners) {
      await listener.planSuperseded(tx, { ...event, planId: plan.id, taskId: plan.taskId });
    }
    return ok({ ...plan, state: next.value, updatedAt: event.at });
  }
}
