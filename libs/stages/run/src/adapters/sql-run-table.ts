import { IsNull } from 'typeorm';
import { isSqlError, type RowOf, rowsOf, sqlOf } from '#lib/database';
import { TOOL_LEVELS } from '#lib/formats';
import { fail, type PageRequest, type PlanId, type RunId, type TaskId, type Tx } from '#lib/kernel';
import { plansOfAgent, plansOfPerson, SqlWorkConditions, type WorkRow } from '#lib/task';
import { traceParent } from '#lib/tracing';
import type { RunFilter } from '../application/run.repository.js';
import { incidentOf, isEnded, requestOf, type LiveRun, type QueuedRun, type Run } from '../domain/run.js';
import type { PendingStep } from '../domain/run-step.js';
import { at, json } from './columns.js';
import { runEntity } from './run.entity.js';
import { RUN_ROW, runOf } from './run-rows.js';
import { insertSteps } from './sql-run-step-table.js';

const RUN = runEntity.as('run');
const STARTED = runEntity.as('started');
const THEIRS = runEntity.as('theirs');

const ROW: WorkRow = {
  table: 'run',
  at: RUN.createdAt,
  task: RUN.taskId,
  plan: RUN.planId,
  environment: RUN.environmentId,
  agent: (parameter) => `${RUN.planId} in (${plansOfAgent(parameter)})`,
  person: (parameter) => [
    `select ${STARTED.id} from run started where started.tenant_id = $1 and ${STARTED.startedBy} ->> 'id' = ${parameter}::uuid::text`,
    `select ${THEIRS.id} from run theirs where theirs.tenant_id = $1 and ${THEIRS.planId} in (${plansOfPerson(parameter)})`,
  ],
};

export async function insert(tx: Tx, run: QueuedRun, steps: readonly PendingStep[], seal: string): Promise<void> {
  try {
    const { authority: _authority, headline, ...row } = run;
    const plan = { headline: headline.headline, risk: TOOL_LEVELS.indexOf(headline.risk) };
    const authority = { approvalRequestId: requestOf(run), incidentId: incidentOf(run) };
    const added = { ...plan, ...authority, waitingOn: waitingOnRow(run), traceParent: traceParent(), seal };
    await rowsOf(tx, runEntity).insert({ ...row, ...added });
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

const waitingOnRow = ({ waitingOn }: Run) => waitingOn && { target: waitingOn.target, run_id: waitingOn.runId };

/** The run without its seal and its trace. */
const storedRun = ({ seal: _seal, traceParent: _trace, ...row }: RowOf<typeof runEntity>): Run => runOf(row);

export async function find(tx: Tx, id: RunId): Promise<Run | null> {
  const row = await rowsOf(tx, runEntity).findOne({ id });
  return row && storedRun(row);
}

export async function lock(tx: Tx, id: RunId): Promise<Run | null> {
  const row = await rowsOf(tx, runEntity).findOne({ id }, { lock: 'update' });
  return row && storedRun(row);
}

/** The same, with the seal of its row. */
export async function lockSealed(tx: Tx, id: RunId): Promise<{ readonly run: Run; readonly seal: string } | null> {
  const row = await rowsOf(tx, runEntity).findOne({ id }, { lock: 'update' });
  return row && { run: storedRun(row), seal: row.seal };
}

export async function findLive(tx: Tx, taskId: TaskId): Promise<LiveRun | null> {
  const row = await rowsOf(tx, runEntity).findOne({ taskId, finishedAt: IsNull() });
  const run = row && storedRun(row);
  return run === null || isEnded(run) ? null : run;
}

export async function list(tx: Tx, filter: RunFilter, page: PageRequest): Promise<readonly Run[]> {
  const wanted = new SqlWorkConditions(tx.tenantId, ROW)
    .equal(RUN.state, filter.state)
    .equal(RUN.taskId, filter.taskId)
    .equal(RUN.planId, filter.planId);
  await wanted.filtered(tx, filter);
  const rest = wanted.page(page);
  const rows = await sqlOf(tx).query<object>(`select ${RUN_ROW.columns('run')} from run ${rest}`, wanted.parameters);
  return rows.map((row) => runOf(RUN_ROW.row(row)));
}

export async function ofPlan(tx: Tx, planId: PlanId): Promise<readonly Run[]> {
  const rows = await rowsOf(tx, runEntity).find({ planId }, { order: { createdAt: 'asc', id: 'asc' } });
  return rows.map(storedRun);
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
    json(waitingOnRow(run)),
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
