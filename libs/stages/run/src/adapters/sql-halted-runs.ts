import { sqlOf } from '#lib/database';
import type { HaltTarget } from '#lib/halt';
import type { RunId, Tx } from '#lib/kernel';
import type { InFlightStep } from '../application/run.repository.js';
import { runStepEntity, stepAttemptEntity } from './run.entity.js';

const STEP = runStepEntity.pick('stepId', 'toolName', 'toolVersion', 'state');
const ATTEMPT = stepAttemptEntity.pick('runId', 'number', 'targets', 'dispatchedAt');

export async function inFlight(tx: Tx, target: HaltTarget): Promise<readonly InFlightStep[]> {
  const covered = coveredRuns(target, 2);
  const rows = await sqlOf(tx).query<object>(
    `select ${STEP.columns('step')}, ${ATTEMPT.columns('attempt')}
       from run_step step
       join step_attempt attempt
         on attempt.tenant_id = step.tenant_id and attempt.run_step_id = step.id and attempt.fence = step.fence
       join run on run.tenant_id = step.tenant_id and run.id = step.run_id
      where step.tenant_id = $1 and step.lease_until is not null and ${covered.condition}
      order by attempt.dispatched_at, attempt.id`,
    [tx.tenantId, ...covered.parameters],
  );
  return rows.map((row) => {
    const { toolName, toolVersion, number: attempt, ...step } = STEP.row(ATTEMPT.row(row));
    return { ...step, tool: `${toolName}@${String(toolVersion)}`, attempt };
  });
}

export async function liveRuns(tx: Tx, target: HaltTarget): Promise<readonly RunId[]> {
  const covered = coveredRuns(target, 2);
  const rows = await sqlOf(tx).query<{ id: RunId }>(
    `select run.id from run where run.tenant_id = $1 and run.finished_at is null and ${covered.condition} order by run.id`,
    [tx.tenantId, ...covered.parameters],
  );
  return rows.map(({ id }) => id);
}

/** Which runs a halt covers, over `run` and parameters from `$first` on. */
function coveredRuns(
  target: HaltTarget,
  first: number,
): { readonly condition: string; readonly parameters: readonly string[] } {
  const parameter = `$${String(first)}`;
  switch (target.kind) {
    case 'tenant':
      return { condition: 'true', parameters: [] };
    case 'environment':
      return { condition: `run.environment_id = ${parameter}`, parameters: [target.environmentId] };
    case 'agent':
      return {
        // As a turn heeds halts: the agent of the plan, and that of the task.
        condition: `(exists (select from plan where plan.tenant_id = run.tenant_id and plan.id = run.plan_id and plan.agent_id = ${parameter})
                     or exists (select from task where task.tenant_id = run.tenant_id and task.id = run.task_id and task.agent_id = ${parameter}))`,
        parameters: [target.agentId],
      };
    case 'tool':
      return {
        condition: `exists (select from run_step held where held.tenant_id = run.tenant_id and held.run_id = run.id
                             and held.tool_name = ${parameter} and held.state in ('pending', 'dispatched', 'failed', 'unknown'))`,
        parameters: [target.tool],
      };
  }
}
