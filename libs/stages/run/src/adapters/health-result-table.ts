import type { Json } from '#lib/canonical';
import { sqlOf } from '#lib/database';
import type { RunId, Tx } from '#lib/kernel';
import type { HealthResult } from '../domain/run.js';
import { at } from './columns.js';
import { healthOf, type HealthRow } from './run-rows.js';

export async function healthCheckResults(
  tx: Tx,
  runId: RunId,
  batch: { readonly phaseIndex: number; readonly batchIndex: number; readonly healthRound: number },
): Promise<ReadonlyMap<string, Json>> {
  const rows = await sqlOf(tx).query<{ step_id: string; result: Json }>(
    `select distinct on (step.step_id) step.step_id, attempt.result
       from run_step step
       join step_attempt attempt
         on attempt.tenant_id = step.tenant_id and attempt.run_step_id = step.id and attempt.outcome = 'succeeded'
      where step.tenant_id = $1 and step.run_id = $2 and step.kind = 'health_check'
        and step.phase_index = $3 and step.batch_index = $4 and step.health_round = $5
      order by step.step_id, attempt.number desc`,
    [tx.tenantId, runId, batch.phaseIndex, batch.batchIndex, batch.healthRound],
  );
  return new Map(rows.map((row) => [row.step_id, row.result]));
}

export async function insertHealthResult(tx: Tx, runId: RunId, id: string, result: HealthResult): Promise<void> {
  await sqlOf(tx).execute(
    `insert into health_result (tenant_id, id, run_id, phase_index, batch_index, health_round, metrics, condition, verdict,
                                explanation, evaluated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      tx.tenantId,
      id,
      runId,
      result.phaseIndex,
      result.batchIndex,
      result.healthRound,
      JSON.stringify(result.metrics),
      result.condition,
      result.verdict,
      result.explanation,
      at(result.evaluatedAt),
    ],
  );
}

export async function healthResults(tx: Tx, runId: RunId): Promise<readonly HealthResult[]> {
  const rows = await sqlOf(tx).query<HealthRow>(
    `select phase_index, batch_index, health_round, metrics, condition, verdict, explanation, evaluated_at
       from health_result where tenant_id = $1 and run_id = $2 order by evaluated_at, id`,
    [tx.tenantId, runId],
  );
  return rows.map(healthOf);
}
