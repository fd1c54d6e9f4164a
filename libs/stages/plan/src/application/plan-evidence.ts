import { type Json, parseStrictJson } from '#lib/canonical';
import type { DigestKind, PlanId, Tx } from '#lib/kernel';
import type { TaskRepository } from '#lib/task';
import { toolKeyOf } from '../domain/plan-facts.js';
import type { PlanResolver } from './plan-resolver.js';
import type { PlanRepository } from './plan.ports.js';

/**
 * The documents that the stages of tasks and plans add to the evidence of a plan. They are both documents, and the
 * tools it names.
 */
export class PlanEvidence {
  readonly section = 'plan';

  constructor(
    private readonly plans: PlanRepository,
    private readonly tasks: TaskRepository,
    private readonly resolver: PlanResolver,
  ) {}

  async collect(
    tx: Tx,
    planId: PlanId,
  ): Promise<readonly { readonly kind: DigestKind; readonly id: string; readonly document: Json }[]> {
    const plan = await this.plans.find(tx, planId);
    const task = plan === null ? null : await this.tasks.find(tx, plan.taskId);
    if (plan === null || task === null) return [];
    const tools = await this.resolver.heldBy(tx, planId);
    return [
      { kind: 'task', id: task.id, document: parseStrictJson(task.specText) },
      ...(plan.expansion === null
        ? []
        : [{ kind: 'plan' as const, id: plan.id, document: parseStrictJson(plan.expansion.text) }]),
      // A schema read it from JSON.
      ...tools.map((tool) => ({ kind: 'tool' as const, id: toolKeyOf(tool), document: tool.definition as Json })),
    ];
  }
}
