import { In } from 'typeorm';
import { lockName, rowsOf, sqlOf, type RowOf } from '#lib/database';
import {
  requireSeal,
  type AutomationRunId,
  type PageRequest,
  type RowSeals,
  type SealedRow,
  type Tx,
} from '#lib/kernel';
import type { AutomationRunRepository } from '../application/automation.ports.js';
import type { AutomationRun, AutomationStepRun } from '../domain/automation.js';
import type { AutomationId } from '../domain/ids.js';
import { automationRunEntity, automationStepRunEntity } from './automation.entity.js';

const RUN = automationRunEntity.as('run');
const AUTOMATION_RUN = automationRunEntity.as('automation_run');
const STEP = automationStepRunEntity.as('step');

type Row = RowOf<typeof automationRunEntity>;

const RUN_ROW = automationRunEntity.all;
const CALLED = automationStepRunEntity.pick('callId');

/** Runs of automations in PostgreSQL. */
export class SqlAutomationRunRepository implements AutomationRunRepository {
  constructor(private readonly seals: RowSeals) {}

  async insert(tx: Tx, run: AutomationRun): Promise<boolean> {
    const seal = await this.seals.seal(sealedRun(tx, run));
    return rowsOf(tx, automationRunEntity).insertUnless(['automationId', 'occurrence'], { ...run, seal });
  }

  async find(tx: Tx, id: AutomationRunId): Promise<AutomationRun | null> {
    return this.#authentic(tx, await rowsOf(tx, automationRunEntity).findOne({ id }));
  }

  async lock(tx: Tx, id: AutomationRunId): Promise<AutomationRun | null> {
    return this.#authentic(tx, await rowsOf(tx, automationRunEntity).findOne({ id }, { lock: 'no key update' }));
  }

  async list(tx: Tx, automationId: AutomationId, { after, limit }: PageRequest): Promise<readonly AutomationRun[]> {
    const rows = await sqlOf(tx).query<object>(
      `select ${RUN_ROW.columns('run')} from automation_run run
        where run.tenant_id = $1 and ${RUN.automationId} = $2
          and ($3::timestamptz is null or (${RUN.createdAt}, ${RUN.id}) < ($3, $4::uuid))
        order by ${RUN.createdAt} desc, ${RUN.id} desc limit $5`,
      [tx.tenantId, automationId, after && new Date(after.at), after?.id ?? null, limit],
    );
    return this.#allAuthentic(
      tx,
      rows.map((row) => RUN_ROW.row(row)),
    );
  }

  async latest(tx: Tx, automationIds: readonly AutomationId[]): Promise<ReadonlyMap<AutomationId, AutomationRun>> {
    const rows = await sqlOf(tx).query<object>(
      `select latest.* from unnest($2::uuid[]) wanted (id)
        cross join lateral (
          select ${RUN_ROW.columns('run')} from automation_run run
           where run.tenant_id = $1 and ${RUN.automationId} = wanted.id
           order by ${RUN.createdAt} desc, ${RUN.id} desc limit 1
        ) latest`,
      [tx.tenantId, automationIds],
    );
    const runs = await this.#allAuthentic(
      tx,
      rows.map((row) => RUN_ROW.row(row)),
    );
    return new Map(runs.map((run) => [run.automationId, run]));
  }

  async open(tx: Tx, automationId: AutomationId): Promise<readonly AutomationRun[]> {
    const where = { automationId, state: In(['queued', 'executing']) };
    const rows = await rowsOf(tx, automationRunEntity).find(where, { order: { createdAt: 'ASC', id: 'ASC' } });
    return this.#allAuthentic(tx, rows);
  }

  async countExecuting(tx: Tx): Promise<number> {
    await lockName(tx, `countersign.automation_run:${tx.tenantId}`);
    const [row] = await sqlOf(tx).query<{ executing: number }>(
      `select count(*)::integer as executing from automation_run where tenant_id = $1 and ${AUTOMATION_RUN.state} = 'executing'`,
      [tx.tenantId],
    );
    return row?.executing ?? 0;
  }

  async automationOf(tx: Tx, id: AutomationRunId): Promise<AutomationId | null> {
    return (await rowsOf(tx, automationRunEntity).findOne({ id }))?.automationId ?? null;
  }

  async startedSince(tx: Tx, automationId: AutomationId, since: number): Promise<number> {
    const [row] = await sqlOf(tx).query<{ started: number }>(
      `select count(*)::integer as started from automation_run
        where tenant_id = $1 and ${AUTOMATION_RUN.automationId} = $2 and ${AUTOMATION_RUN.createdAt} > $3
          and ${AUTOMATION_RUN.occurrence} not like 'cron:%'`,
      [tx.tenantId, automationId, new Date(since)],
    );
    return row?.started ?? 0;
  }

  async calledBy(tx: Tx, automationId: AutomationId, calls: readonly string[]): Promise<ReadonlySet<string>> {
    if (calls.length === 0) return new Set();
    const rows = await sqlOf(tx).query<object>(
      `select ${CALLED.columns('step')} from automation_step_run step
         join automation_run run on run.tenant_id = step.tenant_id and ${RUN.id} = ${STEP.runId}
        where step.tenant_id = $1 and ${RUN.automationId} = $2 and ${STEP.callId} = any ($3::uuid[])`,
      [tx.tenantId, automationId, calls],
    );
    return new Set(rows.flatMap((row) => CALLED.row(row).callId ?? []));
  }

  async save(tx: Tx, run: AutomationRun): Promise<void> {
    const { id, state, position, callId, fault, finishedAt } = run;
    const seal = await this.seals.seal(sealedRun(tx, run));
    const changes = { state, position, callId, fault, finishedAt, seal };
    await rowsOf(tx, automationRunEntity).update({ id }, changes);
  }

  async insertStep(tx: Tx, step: AutomationStepRun): Promise<void> {
    await rowsOf(tx, automationStepRunEntity).insert(step);
  }

  async saveStep(tx: Tx, { runId, seq, state, fault, finishedAt }: AutomationStepRun): Promise<void> {
    await rowsOf(tx, automationStepRunEntity).update({ runId, seq }, { state, fault, finishedAt });
  }

  steps(tx: Tx, runId: AutomationRunId): Promise<readonly AutomationStepRun[]> {
    return rowsOf(tx, automationStepRunEntity).find({ runId }, { order: { seq: 'ASC' } });
  }

  async #allAuthentic(tx: Tx, rows: readonly Row[]): Promise<readonly AutomationRun[]> {
    const holds = await Promise.all(rows.map((row) => this.seals.holds(sealedRun(tx, row), row.seal)));
    return rows.filter((_, index) => holds[index]).map(runOf);
  }

  async #authentic(tx: Tx, row: Row | null): Promise<AutomationRun | null> {
    if (row === null) return null;
    await requireSeal(this.seals, sealedRun(tx, row), row.seal);
    return runOf(row);
  }
}

const runOf = ({ seal: _, ...run }: Row): AutomationRun => run;

/**
 * The occurrence with its inputs, and the progress of the run. So a login to the database starts no step twice, and
 * none of a stopped run.
 */
const sealedRun = (
  tx: Tx,
  { id, automationId, version, revision, occurrence, inputs, state, position, callId }: AutomationRun,
): SealedRow => ({
  table: 'automation_run',
  tenantId: tx.tenantId,
  id,
  columns: { automation_id: automationId, version, revision, occurrence, inputs, state, position, call_id: callId },
});
