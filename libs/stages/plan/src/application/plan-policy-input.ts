import { actorFacts } from '#lib/policy';
import type { HaltFacts, PlanInput, PlanStage } from '#lib/policy-inputs';
import type { Principal, TenantId } from '#lib/kernel';
import type { AutonomyInForce } from '#lib/autonomy';
import type { EnvironmentRecord, Task } from '#lib/task';
import { taskFacts, type PlanPolicyFacts } from '../domain/plan-facts.js';

/** The records from which a plan is decided before anybody asks for its approval. */
export interface PlanQuestion {
  readonly stage: PlanStage;
  readonly tenantId: TenantId;
  /** The database's clock after the locks, epoch milliseconds. */
  readonly now: number;
  readonly principal: Principal;
  readonly task: Task;
  readonly environment: EnvironmentRecord;
  readonly facts: PlanPolicyFacts;
  readonly autonomy: AutonomyInForce | null;
  readonly halts: readonly HaltFacts[];
}

/** The input of the entrypoint `plan` at the stages before approval. */
export const planPolicyInput = ({
  stage,
  tenantId,
  now,
  principal,
  task,
  environment: { id, name, production, version },
  facts,
  autonomy,
  halts,
}: PlanQuestion): PlanInput => ({
  now,
  tenant_id: tenantId,
  autonomy: autonomy?.document ?? null,
  stage,
  actor: actorFacts(principal),
  task: taskFacts(task),
  environment: { id, name, production, version },
  tools: facts.tools,
  plan: facts.plan,
  simulation: null,
  approval: null,
  approved: null,
  promotion: false,
  freeze: { active: [], starter_roles: [] },
  halts: [...halts],
});
