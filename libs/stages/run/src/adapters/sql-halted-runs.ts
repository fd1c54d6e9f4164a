import { sqlOf } from '#lib/database';
import type { HaltTarget } from '#lib/halt';
import type { RunId, Tx } from '#lib/kernel';
import { planEntity } from '#lib/plan';
import { taskEntity } from '#lib/task';
import type { StepUnderHalt } from '../application/run.repository.js';
import { runEntity, runStepEntity, stepAttemptEntity } from './run.entity.js';

const ATTEMPT = stepAttemptEntity.as('attempt');
const STEP = runStepEntity.as('step');
const RUN = runEntity.as('run');
const PLAN = planEntity.as('plan');
const TASK = taskEntity.as('task');
const HELD = runStepEntity.as('held');

const STEP_ROW = runStepEntity.pick('stepId', 'toolName', 'toolVersion', 'state');
const ATTEMPT_ROW = stepAttemptEntity.pick('runId', 'number', 'targets', 'dispatchedAt');

export async function inFlight(tx: Tx, target: HaltTarget): Promise<readonly StepUnderHalt[]> {
  const covered = coveredRuns(target, 2);
  const rows = await sqlOf(tx).query<object>(
    `select ${STEP_ROW.columns('step')}, ${ATTEMPT_ROW.columns('attempt')}
       from run_step step
       join step_attempt attempt
         on attempt.tenant_id = step.tenant_id and ${ATTEMPT.runStepId} = ${STEP.id} and ${ATTEMPT.fence} = ${STEP.fence}
       join run on run.tenant_id = step.tenant_id and ${RUN.id} = ${STEP.runId}
      where step.tenant_id = $1 and ${STEP.leaseUntil} is not null and ${covered.condition}
      order by ${ATTEMPT.dispatchedAt}, ${ATTEMPT.id}`,
    [tx.tenantId, ...covered.parameters],
  );
  return rows.map((row) => {
    const { toolName, toolVersion, number: attempt, ...step } = STEP_ROW.row(ATTEMPT_ROW.row(row));
    return { ...step, tool: `${toolName}@${String(toolVersion)}`, attempt };
  });
}

export async function liveRuns(tx: Tx, target: HaltTarget): Promise<readonly RunId[]> {
  const covered = coveredRuns(target, 2);
  const rows = await sqlOf(tx).query<{ id: RunId }>(
    `select ${RUN.id} from run where run.tenant_id = $1 and ${RUN.finishedAt} is null and ${covered.condition} order by ${RUN.id}`,
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
      return { condition: `${RUN.environmentId} = ${parameter}`, parameters: [target.environmentId] };
    case 'agent':
      return {
        // As a turn heeds halts: the agent of the plan, and that of the task.
        condition: `(exists (select from plan where plan.tenant_id = run.tenant_id and ${PLAN.id} = ${RUN.planId}
          and ${PLAN.agentId} = ${parameter})
                     or exists (select from task where task.tenant_id = run.tenant_id and ${TASK.id} = ${RUN.taskId}
                       and ${TASK.agentId} = ${parameter}))`,
        parameters: [target.agentId],
      };
    case 'tool':
      return {
        condition: `exists (select from run_step held where held.tenant_id = run.tenant_id and ${HELD.runId} = ${RUN.id}
                             and ${HELD.toolName} = ${parameter} and ${HELD.state} in ('pending', 'dispatched', 'failed', 'unknown'))`,
        parameters: [target.tool],
      };
  }
}
