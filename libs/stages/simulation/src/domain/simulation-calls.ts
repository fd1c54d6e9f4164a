import type { ExpandedCall, ExpandedPlan } from '#lib/formats';
import { err, type Failure, ok, type Result } from '#lib/kernel';
import { callsOf, toolKeyOf } from '#lib/plan';
import { changesUnder, judgedFacts, toolFacts, type ToolVersion } from '#lib/tool';

/** A state-changing call of the plan, and the tool that predicts it; null if the platform says that none can. */
export interface CallToSimulate {
  readonly call: ExpandedCall;
  readonly tool: ToolVersion;
  readonly simulatedBy: string | null;
}

/**
 * The state-changing calls of a plan in order, each with the tool that predicts it. The failure is `simulation.no_tool`
 * if one has to name a tool and names none.
 *
 * @param tools the versions that the plan holds.
 */
export function planToSimulate(
  expanded: ExpandedPlan,
  tools: Iterable<ToolVersion>,
): Result<readonly CallToSimulate[]> {
  const versions = new Map([...tools].map((tool) => [toolKeyOf(tool), tool]));
  const calls: CallToSimulate[] = [];
  for (const call of callsOf(expanded)) {
    const tool = versions.get(toolKeyOf(call.invocation.tool));
    if (tool === undefined)
      throw new Error(`the plan holds ${toolKeyOf(call.invocation.tool)}, and that version was not given`);
    const { risk, simulation, simulated_by } = judgedFacts(toolFacts(tool), call.invocation);
    if (!changesUnder(risk)) continue;
    if (simulation === 'required' && simulated_by === null) return err(nothingPredicts(tool.name));
    calls.push({ call, tool, simulatedBy: simulation === 'not_applicable' ? null : simulated_by });
  }
  return ok(calls);
}

/** Seconds that a run of the plan waits: after every batch, its phase's wait. */
export const waitSecondsOf = (expanded: ExpandedPlan): number =>
  expanded.phases.reduce((sum, phase) => sum + phase.wait_seconds * phase.batches.length, 0);

const nothingPredicts = (tool: string): Failure => ({
  kind: 'unprocessable',
  code: 'simulation.no_tool',
  message: `Nothing predicts what "${tool}" would do.`,
  action: `Register a plan_only tool that does, and name it in simulated_by of "${tool}".`,
});
