import { sqlOf } from '#lib/database';
import type { RunId, RunStepId, Tx } from '#lib/kernel';
import type { RunStep } from '../domain/run.js';
import { at, json } from './columns.js';
import { ms, STEP_COLUMNS, stepOf, type StepRow } from './run-rows.js';

export async function steps(tx: Tx, runId: RunId): Promise<readonly RunStep[]> {
  const rows = await sqlOf(tx).query<StepRow>(
    `select ${STEP_COLUMNS} from run_step where tenant_id = $1 and run_id = $2 order by position, health_round`,
    [tx.tenantId, runId],
  );
  return rows.map(stepOf);
}

export async function stepsAhead(tx: Tx, runId: RunId): Promise<readonly RunStep[]> {
  const rows = await sqlOf(tx).query<StepRow>(`select ${STEP_COLUMNS} from run_steps_ahead($1)`, [runId]);
  return rows.map(stepOf);
}

export async function findStep(tx: Tx, id: RunStepId): Promise<RunStep | null> {
  const rows = await sqlOf(tx).query<StepRow>(`select ${STEP_COLUMNS} from run_step where tenant_id = $1 and id = $2`, [
    tx.tenantId,
    id,
  ]);
  return rows.map(stepOf)[0] ?? null;
}

export async function lockOut(
  tx: Tx,
  { id, runId, fence }: Pick<RunStep, 'id' | 'runId' | 'fence'>,
): Promise<number | null> {
  // Two statements in one packet. The second sees the rows as they are after the first has the lock.
  sqlOf(tx).executeAhead('select from run where tenant_id = $1 and id = $2 for update', [tx.tenantId, runId]);
  const [out] = await sqlOf(tx).query<Pick<StepRow, 'lease_until'>>(
    'select lease_until from run_step where tenant_id = $1 and id = $2 and fence = $3',
    [tx.tenantId, id, fence],
  );
  return ms(out?.lease_until ?? null);
}

export function insertSteps(tx: Tx, steps: readonly RunStep[]): Promise<void> {
  if (steps.length > 0) sqlOf(tx).callAhead('run_steps_insert', [JSON.stringify(steps.map(stepRow))]);
  return Promise.resolve();
}

const stepRow = (step: RunStep) => ({
  id: step.id,
  run_id: step.runId,
  position: step.position,
  kind: step.kind,
  phase_index: step.phaseIndex,
  batch_index: step.batchIndex,
  seq: step.seq,
  step_id: step.stepId,
  health_round: step.healthRound,
  tool_name: step.toolName,
  tool_version: step.toolVersion,
  idempotent: step.idempotent,
  changes: step.changes,
  on_failure: step.onFailure,
  compensation_idempotent: step.compensationIdempotent,
  state: step.state,
});

export function saveStep(tx: Tx, step: RunStep): Promise<void> {
  sqlOf(tx).callAhead('run_step_save', [
    step.id,
    step.state,
    step.attempts,
    step.compensations,
    step.failures,
    step.fence,
    at(step.leaseUntil),
    at(step.retryAt),
    step.unknownOf,
    step.resolvedAs,
    json(step.error),
    at(step.finishedAt),
  ]);
  return Promise.resolve();
}
