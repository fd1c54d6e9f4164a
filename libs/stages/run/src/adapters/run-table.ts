import { isSqlError, sqlOf } from '#lib/database';
import { fail, type PageRequest, type PlanId, type RunId, type TaskId, type Tx } from '#lib/kernel';
import { plansOfAgent, plansOfPerson, WorkConditions, type WorkRow } from '#lib/task';
import { traceParent } from '#lib/tracing';
import type { RunFilter } from '../application/run.repository.js';
import type { Run, RunStep } from '../domain/run.js';
import { at, json } from './columns.js';
import { RUN_COLUMNS, runOf, type RunRow, waitingOnJson } from './run-rows.js';
import { insertSteps } from './run-step-table.js';

const ROW: WorkRow = {
  table: 'run',
  at: 'run.created_at',
  task: 'run.task_id',
  plan: 'run.plan_id',
  environment: 'run.environment_id',
  agent: (parameter) => `run.plan_id in (${plansOfAgent(parameter)})`,
  person: (parameter) => [
    `select started.id from run started where started.tenant_id = $1 and started.started_by ->> 'id' = ${parameter}::uuid::text`,
    `select theirs.id from run theirs where theirs.tenant_id = $1 and theirs.plan_id in (${plansOfPerson(parameter)})`,
  ],
};

export async function insert(tx: Tx, run: Run, steps: readonly RunStep[], seal: string): Promise<void> {
  try {
    await sqlOf(tx).execute(
      `insert into run (tenant_id, id, task_id, plan_id, plan_digest, environment_id, approval_request_id, simulation_id,
                        decision_id, approved_terms, state, phases, health_round, event_count, started_by, start_at, next_at,
                        created_at, updated_at, incident_id, trace_parent, seal)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)`,
      [
        tx.tenantId,
        run.id,
        run.taskId,
        run.planId,
        run.planDigest,
        run.environmentId,
        run.approvalRequestId,
        run.simulationId,
        run.decisionId,
        json(run.approvedTerms),
        run.state,
        run.phases,
        run.healthRound,
        run.eventCount,
        json(run.startedBy),
        at(run.startAt),
        at(run.nextAt),
        at(run.createdAt),
        at(run.updatedAt),
        run.incidentId,
        traceParent(),
        seal,
      ],
    );
  } catch (error) {
    if (isSqlError(error, '23505', 'run_live_unique')) {
      fail({
        kind: 'conflict',
        code: 'run.already_live',
        message: 'This task has a run that has not ended.',
        action: 'Wait until it ends, or cancel it.',
      });
    }
    throw error;
  }
  await insertSteps(tx, steps);
}

export async function find(tx: Tx, id: RunId): Promise<Run | null> {
  return one(tx, id, '');
}

export async function lock(tx: Tx, id: RunId): Promise<Run | null> {
  return one(tx, id, 'for update');
}

async function one(tx: Tx, id: RunId, locking: '' | 'for update'): Promise<Run | null> {
  const rows = await sqlOf(tx).query<RunRow>(
    `select ${RUN_COLUMNS} from run where tenant_id = $1 and id = $2 ${locking}`,
    [tx.tenantId, id],
  );
  return rows.map(runOf)[0] ?? null;
}

/** The same, with the seal of its row. */
export async function lockSealed(tx: Tx, id: RunId): Promise<{ readonly run: Run; readonly seal: string } | null> {
  const [row] = await sqlOf(tx).query<RunRow & { readonly seal: string }>(
    `select ${RUN_COLUMNS}, run.seal from run where tenant_id = $1 and id = $2 for update`,
    [tx.tenantId, id],
  );
  return row === undefined ? null : { run: runOf(row), seal: row.seal };
}

export async function findLive(tx: Tx, taskId: TaskId): Promise<Run | null> {
  const rows = await sqlOf(tx).query<RunRow>(
    `select ${RUN_COLUMNS} from run where tenant_id = $1 and task_id = $2 and finished_at is null`,
    [tx.tenantId, taskId],
  );
  return rows.map(runOf)[0] ?? null;
}

export async function list(tx: Tx, filter: RunFilter, page: PageRequest): Promise<readonly Run[]> {
  const wanted = new WorkConditions(tx.tenantId, ROW)
    .equal('run.state', filter.state)
    .equal('run.task_id', filter.taskId)
    .equal('run.plan_id', filter.planId);
  await wanted.filtered(tx, filter);
  const rest = wanted.page(page);
  const rows = await sqlOf(tx).query<RunRow>(`select ${RUN_COLUMNS} from run ${rest}`, wanted.parameters);
  return rows.map(runOf);
}

export async function ofPlan(tx: Tx, planId: PlanId): Promise<readonly Run[]> {
  const rows = await sqlOf(tx).query<RunRow>(
    `select ${RUN_COLUMNS} from run where tenant_id = $1 and plan_id = $2 order by created_at, id`,
    [tx.tenantId, planId],
  );
  return rows.map(runOf);
}

/** Called ahead, as all writes of a turn: the unit of work fails if the database refuses one. */
export function save(tx: Tx, run: Run): Promise<void> {
  sqlOf(tx).callAhead('run_save', [
    run.id,
    run.state,
    run.requested,
    json(run.requestedBy),
    json(run.reason),
    json(run.rollbackReason),
    json(waitingOnJson(run.waitingOn)),
    at(run.waitUntil),
    run.healthRound,
    run.eventCount,
    json(run.outcome),
    at(run.nextAt),
    at(run.startedAt),
    at(run.finishedAt),
    at(run.updatedAt),
    at(run.pauseBy),
  ]);
  return Promise.resolve();
}

export async function canaryCompleted(tx: Tx, planId: PlanId): Promise<boolean> {
  const rows = await sqlOf(tx).query<{ id: string }>(
    "select id from run where tenant_id = $1 and plan_id = $2 and phases = 'canary' and state = 'completed' limit 1",
    [tx.tenantId, planId],
  );
  return rows.length > 0;
}
