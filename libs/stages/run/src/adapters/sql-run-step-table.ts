import { rowsOf, sqlOf } from '#lib/database';
import type { RunId, Tx } from '#lib/kernel';
import type { RunStepId } from '../domain/ids.js';
import type { PendingStep, RunStep } from '../domain/run-step.js';
import { at, json } from './columns.js';
import { runEntity, runStepEntity } from './run.entity.js';
import { STEP_ROW, stepOf } from './run-rows.js';

const RUN = runEntity.as('run');
const STEP = runStepEntity.as('step');

const LEASE = runStepEntity.pick('leaseUntil');

const LOCK_RUN = `select from run where tenant_id = $1 and ${RUN.id} = $2 for update`;
const READ_LEASE = `select ${LEASE.columns('step')} from run_step step
  where tenant_id = $1 and ${STEP.id} = $2 and ${STEP.fence} = $3`;

export async function steps(tx: Tx, runId: RunId): Promise<readonly RunStep[]> {
  const rows = await rowsOf(tx, runStepEntity).find({ runId }, { order: { position: 'asc', healthRound: 'asc' } });
  return rows.map(stepOf);
}

export async function stepsAhead(tx: Tx, runId: RunId): Promise<readonly RunStep[]> {
  const rows = await sqlOf(tx).query<object>(
    `select ${STEP_ROW.columns('ahead')} from unnest(run_steps_ahead($1)) ahead`,
    [runId],
  );
  return rows.map((row) => stepOf(STEP_ROW.row(row)));
}

export async function findStep(tx: Tx, id: RunStepId): Promise<RunStep | null> {
  const row = await rowsOf(tx, runStepEntity).findOne({ id });
  return row && stepOf(row);
}

export async function lockInFlight(
  tx: Tx,
  { id, runId, fence }: Pick<RunStep, 'id' | 'runId' | 'fence'>,
): Promise<number | null> {
  // Two statements in one packet. The second sees the rows as they are after the first has the lock.
  sqlOf(tx).executeAhead(LOCK_RUN, [tx.tenantId, runId]);
  const [lease] = await sqlOf(tx).query<object>(READ_LEASE, [tx.tenantId, id, fence]);
  return lease === undefined ? null : LEASE.row(lease).leaseUntil;
}

export function insertSteps(tx: Tx, steps: readonly PendingStep[]): Promise<void> {
  if (steps.length > 0) {
    sqlOf(tx).callAhead('run_steps_insert', [`[${steps.map((step) => STEP_ROW.documentOf(step)).join()}]`]);
  }
  return Promise.resolve();
}

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
