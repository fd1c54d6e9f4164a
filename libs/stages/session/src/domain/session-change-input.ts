import type { AutonomyFacts, EnvironmentFacts, PolicyInput } from '#lib/policy-inputs';
import type { Principal, TenantId } from '#lib/kernel';
import { callerFacts } from '#lib/policy';
import type { SessionAutonomy } from './session.js';

/** The facts of a change of a session's settings. */
interface SessionChange {
  readonly tenantId: TenantId;
  /** The database's clock, epoch milliseconds. */
  readonly now: number;
  readonly autonomy: AutonomyFacts | null;
  readonly principal: Principal;
  readonly environment: EnvironmentFacts;
  readonly before: SessionAutonomy;
  readonly after: SessionAutonomy;
}

/** The question to the entrypoint `session_change`. */
export const sessionChangeInput = (change: SessionChange): PolicyInput<'session_change'> => ({
  now: change.now,
  tenant_id: change.tenantId,
  autonomy: change.autonomy,
  actor: callerFacts(change.principal),
  environment: change.environment,
  before: { ...change.before },
  after: { ...change.after },
});
