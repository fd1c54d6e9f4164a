import type { ToolFacts } from '#lib/policy-inputs';
import type { ToolVersion } from './tool-version.js';

/** A tool version as policies are given it. */
export function toolFacts({
  name,
  version,
  definition,
}: Pick<ToolVersion, 'name' | 'version' | 'definition'>): ToolFacts {
  const { risk, idempotent, scope, effect, surface, requires_plan, requires_hitl, simulated_by, simulation, canary } =
    definition;
  return {
    name,
    version,
    risk,
    idempotent,
    scope,
    effect,
    surface,
    requires_plan,
    requires_hitl,
    simulated_by,
    simulation,
    canary,
  };
}
