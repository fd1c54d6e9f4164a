import type { Json } from '#lib/canonical';
import { rowsOf, sqlOf } from '#lib/database';
import type { RunId, Tx } from '#lib/kernel';
import type { HealthResult } from '../domain/run.js';
import { healthResultEntity, stepAttemptEntity } from './run.entity.js';

const RESULT = stepAttemptEntity.pick('result');

export async function healthCheckResults(
  tx: Tx,
  runId: RunId,
  batch: { readonly phaseIndex: number; readonly batchIndex: number; readonly healthRound: number },
): Promise<ReadonlyMap<string, Json>> {
  const rows = await sqlOf(tx).query<{ readonly name: string }>(
    `select distinct on (step.step_id) step.step_id as name, ${RESULT.columns('attempt')}
       from run_step step
       join step_attempt attempt
         on attempt.tenant_id = step.tenant_id and attempt.run_step_id = step.id and attempt.outcome = 'succeeded'
      where step.tenant_id = $1 and step.run_id = $2 and step.kind = 'health_check'
        and step.phase_index = $3 and step.batch_index = $4 and step.health_round = $5
      order by step.step_id, attempt.number desc`,
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
