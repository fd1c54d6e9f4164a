import { actorOf, type AuditSink, type Tx, inPlan } from '#lib/kernel';
import type { LiveRevision } from '../domain/plan.js';
import type { RetiredState } from '../domain/plan-transitions.js';
import type { PlanRepository, PlanSuperseded, PlanSupersededListener } from './plan.ports.js';

/** Takes a live plan out of use, and tells the listeners that depend on it in the same transaction. */
export class PlanRetirement {
  constructor(
    private readonly plans: PlanRepository,
    private readonly audit: AuditSink,
    private readonly listeners: readonly PlanSupersededListener[],
  ) {}

  /** The plan must be locked. @returns the plan as it is afterwards. */
  async retire<Retiring extends LiveRevision>(
    tx: Tx,
    plan: Retiring,
    event: Omit<PlanSuperseded, 'planId' | 'taskId'>,
  ): Promise<Omit<Retiring, 'state'> & { readonly state: RetiredState; readonly updatedAt: number }> {
    const state: RetiredState = event.cause === 'superseded' ? 'superseded' : 'withdrawn';
    await this.plans.setState(tx, plan.id, state, event.at);
    await this.audit.record(tx, {
      action: state === 'superseded' ? 'plan.superseded' : 'plan.withdrawn',
      actor: actorOf(event.principal),
      level: 'full',
      subject: { type: 'plan', id: plan.id },
      within: inPlan({ taskId: plan.taskId, planId: plan.id }),
      payload: {
        revision: plan.revision,
        plan_digest: plan.expansion.digest,
        cause: event.cause,
        superseded_by: event.supersededBy,
      },
    });
    for (const listener of this.listeners) {
      await listener.planSuperseded(tx, { ...event, planId: plan.id, taskId: plan.taskId });
    }
    return { ...plan, state, updatedAt: event.at };
  }
}
