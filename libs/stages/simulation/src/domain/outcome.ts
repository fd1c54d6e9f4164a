import type { RiskLevel } from '#lib/formats';
import type { SimulationId } from '#lib/kernel';
import { higher, type SimulatedPlan } from './aggregate-results.js';

/** The effect that a run had with one call. */
export interface ActualCall {
  /** The call's number in the plan. */
  readonly seq: number;
  readonly succeeded: boolean;
  /** As the tool reported it, or else how many targets the call had. */
  readonly affectedAssets: number;
  readonly durationMs: number;
}

/** Predicted beside actual, of one tool in one run. */
export interface SimulationOutcome {
  readonly simulationId: SimulationId;
  readonly tool: string;
  readonly predicted: {
    readonly calls: number;
    readonly affected_assets: number;
    readonly duration_minutes: number;
    readonly risk: RiskLevel;
  };
  readonly actual: {
    readonly calls: number;
    readonly failed: number;
    readonly affected_assets: number;
    readonly duration_minutes: number;
  };
}

/** How near the predictions of a tool came, over every run that has ended. */
export interface AccuracyRow {
  readonly tool: string;
  readonly runs: number;
  readonly calls: number;
  readonly failedCalls: number;
  readonly predictedAssets: number;
  readonly actualAssets: number;
  /** Runs with an exact prediction of the number of assets. */
  readonly exactRuns: number;
  readonly predictedMinutes: number;
  readonly actualMinutes: number;
}

/**
 * Compares, tool by tool, the predicted effects with the real ones. Only calls that were both predicted and made count: a
 * run that stopped early says nothing about the rest.
 */
export function compareOutcome(
  simulationId: SimulationId,
  predicted: SimulatedPlan,
  actual: readonly ActualCall[],
): readonly SimulationOutcome[] {
  const made = new Map(actual.map((call) => [call.seq, call]));
  const tools = new Map<string, SimulationOutcome>();
  for (const call of predicted.details.calls) {
    const done = made.get(call.seq);
    if (done === undefined || call.affected_assets === null) continue;
    const before = tools.get(call.tool);
    tools.set(call.tool, {
      simulationId,
      tool: call.tool,
      predicted: {
        calls: (before?.predicted.calls ?? 0) + 1,
        affected_assets: (before?.predicted.affected_assets ?? 0) + call.affected_assets,
        duration_minutes: (before?.predicted.duration_minutes ?? 0) + (call.estimated_duration_minutes ?? 0),
        risk: higher(before?.predicted.risk ?? 'low', call.predicted_risk),
      },
      actual: {
        calls: (before?.actual.calls ?? 0) + 1,
        failed: (before?.actual.failed ?? 0) + (done.succeeded ? 0 : 1),
        affected_assets: (before?.actual.affected_assets ?? 0) + done.affectedAssets,
        duration_minutes: (before?.actual.duration_minutes ?? 0) + done.durationMs / 60_000,
      },
    });
  }
  return [...tools.values()];
}
