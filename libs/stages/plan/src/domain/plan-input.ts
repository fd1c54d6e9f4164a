import type { ActorFacts, AutonomyFacts, HaltFacts, PlanInput, PlanStage, TaskFacts } from '#lib/policy-inputs';
import type { TenantId } from '#lib/kernel';
import type { EnvironmentRecord } from '#lib/task';
import type { PlanPolicyFacts } from './plan-facts.js';

/** The members of a plan's decision at every stage. */
interface PlanQuestion {
  readonly stage: PlanStage;
  readonly tenantId: TenantId;
  /** The database's clock after the locks, epoch milliseconds. */
  readonly now: number;
  readonly actor: ActorFacts;
  readonly task: TaskFacts;
  readonly environment: EnvironmentRecord;
  readonly facts: PlanPolicyFacts;
  readonly autonomy: AutonomyFacts | null;
  readonly halts: readonly HaltFacts[];
}

/** The members that a plan has from its request for approval on. */
type ApprovalMembers = Pick<PlanInput, 'simulation' | 'approval' | 'approved' | 'promotion' | 'freeze'>;

export const BEFORE_APPROVAL: ApprovalMembers = {
  simulation: null,
  approval: null,
  approved: null,
  promotion: false,
  freeze: { active: [], starter_roles: [] },
};

/** The input of the entrypoint `plan`. */
export const planInput = (
  { stage, tenantId, now, actor, task, environment: { id, name, production, version }, ...question }: PlanQuestion,
  ofApproval: ApprovalMembers,
): PlanInput => ({
  now,
  tenant_id: tenantId,
  autonomy: question.autonomy,
  stage,
  actor,
  task,
  environment: { id, name, production, version },
  tools: { ...question.facts.tools },
  plan: question.facts.plan,
  ...ofApproval,
  halts: [...question.halts],
});
