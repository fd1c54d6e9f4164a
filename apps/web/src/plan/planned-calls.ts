import type { ExpandedPlan } from '#lib/contracts';
import type { Call } from '../request/group-calls.js';

/** What the registry says of a tool. */
export interface ToolFacts {
  readonly risk: string;
  readonly effect: string;
}

/** A plan's calls in order, with what the registry says of their tools; `unknown` where it does not. */
export const plannedCalls = (plan: ExpandedPlan, tools: ReadonlyMap<string, ToolFacts>): Call[] =>
  plan.phases.flatMap((phase) =>
    phase.batches.flatMap((batch) =>
      batch.calls.map(({ seq, step_id, invocation, compensate_with }) => ({
        seq,
        phase: phase.name,
        canary: phase.canary,
        batch: batch.index,
        step_id,
        tool: invocation.tool.name,
        tool_version: invocation.tool.version,
        risk: tools.get(invocation.tool.name)?.risk ?? 'unknown',
        effect: tools.get(invocation.tool.name)?.effect ?? 'unknown',
        executor: invocation.executor.name,
        targets: invocation.targets,
        arguments: invocation.arguments,
        undone_by: compensate_with?.tool.name ?? null,
      })),
    ),
  );
