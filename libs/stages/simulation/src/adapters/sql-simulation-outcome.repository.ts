import { sqlOf } from '#lib/database';
import { newId, type RunId, type Tx } from '#lib/kernel';
import type { SimulationOutcomeRepository } from '../application/simulation.ports.js';
import type { AccuracyRow, SimulationOutcome } from '../domain/outcome.js';
import { simulationOutcomeEntity } from './simulation.entity.js';

const KEPT = simulationOutcomeEntity.as('kept');

const OUTCOME = simulationOutcomeEntity.all;

interface AccuracyColumns {
  readonly tool_name: string;
  readonly runs: string;
  readonly calls: string;
  readonly failed_calls: string;
  readonly predicted_assets: string;
  readonly actual_assets: string;
  readonly exact_runs: string;
  readonly predicted_minutes: number;
  readonly actual_minutes: number;
}

/** Predicted beside actual, in PostgreSQL. */
export class SqlSimulationOutcomeRepository implements SimulationOutcomeRepository {
  async insert(tx: Tx, runId: RunId, outcomes: readonly SimulationOutcome[]): Promise<void> {
    if (outcomes.length === 0) return;
    // By hand: its text is the same for any number of tools.
    await sqlOf(tx).execute(
      `insert into ${OUTCOME.into}
       select $1, kept.id, kept.simulation_id, $2, kept.tool, kept.predicted, kept.actual
         from unnest($3::uuid[], $4::uuid[], $5::text[], $6::jsonb[], $7::jsonb[]) as kept (id, simulation_id, tool, predicted, actual)`,
      [
        tx.tenantId,
        runId,
        outcomes.map(() => newId()),
        outcomes.map(({ simulationId }) => simulationId),
        outcomes.map(({ tool }) => tool),
        outcomes.map(({ predicted }) => JSON.stringify(predicted)),
        outcomes.map(({ actual }) => JSON.stringify(actual)),
      ],
    );
  }

  async accuracy(tx: Tx): Promise<readonly AccuracyRow[]> {
    const rows = await sqlOf(tx).query<AccuracyColumns>(
      `select ${KEPT.toolName} as tool_name,
              count(*) as runs,
              sum((${KEPT.actual} ->> 'calls')::bigint) as calls,
              sum((${KEPT.actual} ->> 'failed')::bigint) as failed_calls,
              sum((${KEPT.predicted} ->> 'affected_assets')::bigint) as predicted_assets,
              sum((${KEPT.actual} ->> 'affected_assets')::bigint) as actual_assets,
              count(*) filter (where ${KEPT.predicted} -> 'affected_assets' = ${KEPT.actual} -> 'affected_assets') as exact_runs,
              sum((${KEPT.predicted} ->> 'duration_minutes')::double precision) as predicted_minutes,
              sum((${KEPT.actual} ->> 'duration_minutes')::double precision) as actual_minutes
         from simulation_outcome kept
        where tenant_id = $1
        group by ${KEPT.toolName}
        order by ${KEPT.toolName}`,
      [tx.tenantId],
    );
    return rows.map((row) => ({
      tool: row.tool_name,
      runs: Number(row.runs),
      calls: Number(row.calls),
      failedCalls: Number(row.failed_calls),
      predictedAssets: Number(row.predicted_assets),
      actualAssets: Number(row.actual_assets),
      exactRuns: Number(row.exact_runs),
      predictedMinutes: row.predicted_minutes,
      actualMinutes: row.actual_minutes,
    }));
  }
}
