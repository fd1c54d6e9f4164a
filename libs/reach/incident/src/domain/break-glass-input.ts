import type { PlanSubject } from '#lib/approval';
import type { PlanStatus } from '#lib/formats';
import type { BreakGlassInput } from '#lib/policy-inputs';
import type { PersonPrincipal, TenantId } from '#lib/kernel';

/** The facts of the decision beside the plan and its subject. */
export interface BreakGlassQuestion {
  readonly tenantId: TenantId;
  readonly now: number;
  readonly principal: PersonPrincipal;
  /** The roles that the person holds now; empty if they are disabled. */
  readonly roles: readonly string[];
  readonly mfaProved: boolean;
  readonly justification: string;
  readonly planStatus: PlanStatus;
}

/** The input of the `break_glass` entrypoint. */
export const breakGlassInput = (subject: PlanSubject, question: BreakGlassQuestion): BreakGlassInput => {
  const { emergencyOverride } = subject.autonomy;
  return {
    now: question.now,
    tenant_id: question.tenantId,
    autonomy: subject.autonomy.facts,
    emergency_override:
      emergencyOverride === null
        ? null
        : { enabled: emergencyOverride.enabled, allowed_roles: [...(emergencyOverride.allowed_roles ?? [])] },
    actor: {
      kind: 'person',
      id: question.principal.personId,
      scopes: [...question.principal.scopes],
      roles: [...question.roles],
      mfa: { proved: question.mfaProved },
    },
    justification: question.justification,
    plan_status: question.planStatus,
    task: subject.facts.task,
    environment: { ...subject.environment },
    tools: { ...subject.facts.tools },
    plan: subject.facts.plan,
    halts: [...subject.halts],
  };
};
