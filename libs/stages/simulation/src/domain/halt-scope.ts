import type { HaltScope } from '#lib/halt';
import type { Submitter, Task } from '#lib/task';
import type { CallToSimulate } from './simulation-calls.js';

/** The environment, agents and tools of a plan: a halt of one of them stops its simulation. */
export const haltScopeOf = (
  task: Pick<Task, 'environmentId' | 'submitter'>,
  planSubmitter: Submitter,
  calls: readonly CallToSimulate[],
): HaltScope => ({
  environmentId: task.environmentId,
  agentIds: [
    ...new Set(
      [task.submitter, planSubmitter].flatMap((submitter) => (submitter.kind === 'agent' ? [submitter.id] : [])),
    ),
  ],
  tools: [
    ...new Set(
      calls.flatMap(({ tool, simulatedBy }) => (simulatedBy === null ? [tool.name] : [tool.name, simulatedBy])),
    ),
  ],
});
