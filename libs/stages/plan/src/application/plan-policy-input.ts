import type {
  ApprovalFacts,
  ApprovedTerms,
  HaltFacts,
  PlanInput,
  PlanStage,
  SimulationFacts,
} from '#lib/policy-inputs';
import type { Principal, TenantId } from '#lib/kernel';
import type { AutonomyInForce } from '#lib/autonomy';
import type { EnvironmentRecord, Task } from '#lib/task';
import { taskFacts, type PlanPolicyFacts } from '../domain/plan-facts.js';

/** What a decision about a plan is taken from. Members left out are null, false or none. */
export interface PlanQuestion {
  readonly stage: PlanStage;
  readonly tenantId: TenantId;
  readonly now: number;
  readonly principal: Principal;
  readonly task: Task;
  readonly environment: EnvironmentRecord;
  readonly facts: PlanPolicyFacts;
  readonly autonomy: AutonomyInForce | null;
  readonly halts: readonly HaltFacts[];
  readonly simulation?: SimulationFacts | null;
  readonly approval?: ApprovalFacts | null;
  readonly approved?: ApprovedTerms | null;
  readonly promotion?: boolean;
}

/** The input of the entrypoint `plan`, for every stage that asks it. */
export function planPolicyInput(question: PlanQuestion): PlanInput {
  const { environment } = question;
  return {
    now: question.now,
    tenant_id: question.tenantId,
    autonomy: question.autonomy?.document ?? null,
    stage: question.stage,
    actor: actorFacts(question.principal),
    task: taskFacts(question.task),
    environment: {
      id: environment.id,
      name: environment.name,
      production: environment.production,
      version: environment.version,
    },
    tools: question.facts.tools,
    plan: question.facts.plan,
    simulation: question.simulation ?? null,
    approval: question.approval ?? null,
    approved: question.approved ?? null,
    promotion: question.promotion ?? false,
    freeze: { active: [], starter_roles: [] },
    halts: [...question.halts],
  };
}

/** Who asks, as policies are given it. */
export function actorFacts(principal: Principal): PlanInput['actor'] {
  switch (principal.kind) {
    case 'person':
      return { kind: 'person', id: principal.personId, scopes: [...principal.scopes] };
    case 'agent':
      return { kind: 'agent', id: principal.agentId, scopes: [...principal.scopes] };
    case 'system':
      return { kind: 'system', id: principal.name, scopes: [] };
  }
}
