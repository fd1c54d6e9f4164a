import type { AutonomyInput } from '#lib/policy-inputs';
import type { Database } from '#lib/database';
import type { PolicyDecisionPoint } from '#lib/policy';

/** Something without which this process cannot serve. */
export interface ReadinessCheck {
  /** As `/health/ready` names it; tells nothing of addresses. */
  readonly name: string;
  /** @throws if it is not ready. */
  check(): Promise<void>;
}

export const READINESS_CHECKS = Symbol('ReadinessChecks');

/**
 * The database answers, and the policy engine still allows its known good input and denies its known bad one. Opening the
 * database checked that the schema is this version's: a process never serves an older one.
 */
export const readinessChecks = (database: Database, policy: PolicyDecisionPoint): ReadinessCheck[] => [
  { name: 'database', check: () => database.ping() },
  {
    name: 'policy',
    check: () => {
      const answers = [probe('read_only'), probe('state_change_prod')].map((input) =>
        policy.evaluate('autonomy', input),
      );
      const outcomes = answers.map(({ outcome }) => outcome).join();
      return outcomes === 'allow,deny'
        ? Promise.resolve()
        : Promise.reject(new Error(`the policies answer a known question with ${outcomes}`));
    },
  },
];

const nobody = '00000000-0000-7000-8000-000000000000';

/** A tenant without an autonomy document may read, and may not change production. */
const probe = (risk: AutonomyInput['tool']['risk']): AutonomyInput => ({
  now: 0,
  tenant_id: nobody,
  autonomy: null,
  tool: {
    name: 'probe',
    version: 1,
    risk,
    idempotent: true,
    scope: 'asset',
    effect: risk === 'read_only' ? 'read' : 'modify',
    surface: 'asset',
    requires_plan: risk !== 'read_only',
    requires_hitl: risk === 'read_only' ? 'never' : 'always',
    simulated_by: null,
    simulation: risk === 'read_only' ? 'required' : 'not_applicable',
    canary: true,
  },
  environment: { id: nobody, name: 'probe', production: true, version: 1 },
});
