import type { Json } from '#lib/canonical';
import { rowsOf, sqlOf } from '#lib/database';
import type { RunId, Tx } from '#lib/kernel';
import type { HealthResult } from '../domain/run.js';
import { healthResultEntity, runStepEntity, stepAttemptEntity } from './run.entity.js';

const STEP = runStepEntity.as('step');
const ATTEMPT = stepAttemptEntity.as('attempt');

const RESULT = stepAttemptEntity.pick('result');

export async function healthCheckResults(
  tx: Tx,
  runId: RunId,
  batch: { readonly phaseIndex: number; readonly batchIndex: number; readonly healthRound: number },
): Promise<ReadonlyMap<string, Json>> {
  const rows = await sqlOf(tx).query<{ readonly name: string }>(
    `select distinct on (${STEP.stepId}) ${STEP.stepId} as name, ${RESULT.columns('attempt')}
       from run_step step
       join step_attempt attempt
         on attempt.tenant_id = step.tenant_id and ${ATTEMPT.runStepId} = ${STEP.id} and ${ATTEMPT.outcome} = 'succeeded'
      where step.tenant_id = $1 and ${STEP.runId} = $2 and ${STEP.kind} = 'health_check'
        and ${STEP.phaseIndex} = $3 and ${STEP.batchIndex} = $4 and ${STEP.healthRound} = $5
      order by ${STEP.stepId}, ${ATTEMPT.number} desc`,
    [tx.tenantId, runId, batch.phaseIndex, batch.batchIndex, batch.healthRound],
  );
  return new Map(rows.map((row) => [row.name, RESULT.row(row).result]));
}

export const insertHealthResult = (tx: Tx, runId: RunId, id: string, result: HealthResult): Promise<void> =>
  rowsOf(tx, healthResultEntity).insert({ ...result, id, runId });

export async function healthResults(tx: Tx, runId: RunId): Promise<readonly HealthResult[]> {
  const rows = await rowsOf(tx, healthResultEntity).find({ runId }, { order: { evaluatedAt: 'asc', id: 'asc' } });
  return rows.map(({ runId: _run, id: _id, ...result }) => result);
}
