import type { PlanId, Tx } from '#lib/kernel';
import { toolFacts } from '#lib/tool';
import { describePlan } from '../domain/describe-plan.js';
import { invocationsOf } from '../domain/invocations.js';
import type { PlanDescription } from '../domain/plan-description.js';
import { toolKeyOf } from '../domain/plan-facts.js';
import type { Plan } from '../domain/plan.js';
import type { PlanResolver } from './plan-resolver.js';
import type { PlanRepository } from './plan.ports.js';

/** Describes the effects of a plan, with the registry's facts of the tool versions that it holds. */
export class ReadDescription {
  constructor(
    private readonly plans: Pick<PlanRepository, 'find'>,
    private readonly resolver: Pick<PlanResolver, 'versions'>,
  ) {}

  /** Null for a plan that could not be expanded, or that there is not. */
  async execute(tx: Tx, id: PlanId): Promise<PlanDescription | null> {
    const plan = await this.plans.find(tx, id);
    return plan === null ? null : this.of(tx, plan);
  }

  async of(tx: Tx, { expansion }: Pick<Plan, 'expansion'>): Promise<PlanDescription | null> {
    if (expansion === null) return null;
    const held = invocationsOf(expansion.plan).map(({ tool }) => tool);
    const tools = await this.resolver.versions(tx, held);
    const facts = Object.fromEntries(tools.map((version) => [toolKeyOf(version), toolFacts(version)]));
    return describePlan(expansion.plan, facts);
  }
}
