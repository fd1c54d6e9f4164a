import type { RiskLevel, SimulationDetails, SimulationResult } from '#lib/formats';

/** The prediction for a whole plan: a SimulationResult with the calls as its details. */
export type SimulatedPlan = Omit<SimulationResult, 'details'> & { readonly details: SimulationDetails };

/** Least first. */
const RISKS: readonly RiskLevel[] = ['low', 'medium', 'high', 'critical'];

/** Most health check points that a prediction names. */
const MAX_HEALTH_CHECK_POINTS = 1_000;

/**
 * Adds the calls' predictions up.
 *
 * - Affected assets: calls that touch the same set of targets are about the same assets. The largest of their numbers
 *   counts once; different sets are added. Sets that overlap without being equal count too many, never too few.
 * - Duration: a run makes one call after another, and waits after each batch; a call that nothing simulates counts as
 *   no time, and is listed as such.
 * - Risk: the highest of any call's. A call that nothing simulates brings the level of its tool.
 */
export function aggregateResults(
  calls: SimulationDetails['calls'],
  healthCheckPoints: readonly string[],
  waitSeconds: number,
): SimulatedPlan {
  const bySet = new Map<string, number>();
  for (const call of calls) {
    const key = JSON.stringify([...call.targets].sort());
    bySet.set(key, Math.max(bySet.get(key) ?? 0, call.affected_assets ?? call.targets.length));
  }
  const waitMinutes = waitSeconds / 60;
  return {
    affected_assets: [...bySet.values()].reduce((sum, assets) => sum + assets, 0),
    estimated_duration_minutes: rounded(
      calls.reduce((sum, call) => sum + (call.estimated_duration_minutes ?? 0), waitMinutes),
    ),
    predicted_risk: calls.reduce<RiskLevel>((highest, call) => higher(highest, call.predicted_risk), 'low'),
    health_check_points: [...new Set(healthCheckPoints)].slice(0, MAX_HEALTH_CHECK_POINTS),
    details: { calls, wait_minutes: rounded(waitMinutes) },
  };
}

/** The higher of two risks. */
export const higher = (a: RiskLevel, b: RiskLevel): RiskLevel => (RISKS.indexOf(b) > RISKS.indexOf(a) ? b : a);

/** Whole milliseconds of a minute, so that sums do not carry the dust of binary fractions. */
const rounded = (minutes: number): number => Math.round(minutes * 60_000) / 60_000;
