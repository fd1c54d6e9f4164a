import type { Json } from '#lib/canonical';
import type { AttemptState } from '#lib/contracts';
import { isSqlError, sqlOf } from '#lib/database';
import type { HaltTarget } from '#lib/halt';
import {
  type AttemptId,
  fail,
  type PageRequest,
  type PlanId,
  type RunId,
  type RunStepId,
  type TaskId,
  type Tx,
} from '#lib/kernel';
import type {
  AttemptResult,
  InFlightStep,
  RunFilter,
  RunRepository,
  WantedTargets,
} from '../application/run.repository.js';
import type { HealthResult, Run, RunEvent, RunStep, StepAttempt, WaitingOn } from '../domain/run.js';
import {
  ATTEMPT_COLUMNS,
  attemptOf,
  type AttemptRow,
  eventOf,
  type EventRow,
  healthOf,
  type HealthRow,
  RUN_COLUMNS,
  runOf,
  type RunRow,
  STEP_COLUMNS,
  stepOf,
  type StepRow,
  waitingOnJson,
} from './run-rows.js';

const at = (epochMs: number | null): Date | null => (epochMs === null ? null : new Date(epochMs));
const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

/** Runs in PostgreSQL. */
export class TypeormRunRepository implements RunRepository {
  async insert(tx: Tx, run: Run, steps: readonly RunStep[]): Promise<void> {
    try {
      await sqlOf(tx).execute(
        `insert into run (tenant_id, id, task_id, plan_id, plan_digest, environment_id, approval_request_id, simulation_id,
                          decision_id, approved_terms, state, phases, health_round, event_count, started_by, start_at, next_at,
                          created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)`,
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
    await this.insertSteps(tx, steps);
  }

  async find(tx: Tx, id: RunId): Promise<Run | null> {
    return this.#one(tx, id, '');
  }

  async lock(tx: Tx, id: RunId): Promise<Run | null> {
    return this.#one(tx, id, 'for update');
  }

  async #one(tx: Tx, id: RunId, locking: '' | 'for update'): Promise<Run | null> {
    const rows = await sqlOf(tx).query<RunRow>(
      `select ${RUN_COLUMNS} from run where tenant_id = $1 and id = $2 ${locking}`,
      [tx.tenantId, id],
    );
    return rows.map(runOf)[0] ?? null;
  }

  async findLive(tx: Tx, taskId: TaskId): Promise<Run | null> {
    const rows = await sqlOf(tx).query<RunRow>(
      `select ${RUN_COLUMNS} from run where tenant_id = $1 and task_id = $2 and finished_at is null`,
      [tx.tenantId, taskId],
    );
    return rows.map(runOf)[0] ?? null;
  }

  async list(tx: Tx, filter: RunFilter, page: PageRequest): Promise<readonly Run[]> {
    const rows = await sqlOf(tx).query<RunRow>(
      `select ${RUN_COLUMNS} from run
        where tenant_id = $1
          and ($2::text is null or state = $2)
          and ($3::uuid is null or task_id = $3)
          and ($4::uuid is null or plan_id = $4)
          and ($5::timestamptz is null or (created_at, id) < ($5, $6::uuid))
        order by created_at desc, id desc
        limit $7`,
      [
        tx.tenantId,
        filter.state ?? null,
        filter.taskId ?? null,
        filter.planId ?? null,
        at(page.after?.at ?? null),
        page.after?.id ?? null,
        page.limit,
      ],
    );
    return rows.map(runOf);
  }

  async ofPlan(tx: Tx, planId: PlanId): Promise<readonly Run[]> {
    const rows = await sqlOf(tx).query<RunRow>(
      `select ${RUN_COLUMNS} from run where tenant_id = $1 and plan_id = $2 order by created_at, id`,
      [tx.tenantId, planId],
    );
    return rows.map(runOf);
  }

  async save(tx: Tx, run: Run): Promise<void> {
    await sqlOf(tx).execute(
      `update run set state = $3, requested = $4, requested_by = $5, reason = $6, rollback_reason = $7, waiting_on = $8,
                      wait_until = $9, health_round = $10, event_count = $11, outcome = $12, next_at = $13, started_at = $14,
                      finished_at = $15, updated_at = $16
        where tenant_id = $1 and id = $2`,
      [
        tx.tenantId,
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
      ],
    );
  }

  async steps(tx: Tx, runId: RunId): Promise<readonly RunStep[]> {
    const rows = await sqlOf(tx).query<StepRow>(
      `select ${STEP_COLUMNS} from run_step where tenant_id = $1 and run_id = $2 order by position, health_round`,
      [tx.tenantId, runId],
    );
    return rows.map(stepOf);
  }

  async insertSteps(tx: Tx, steps: readonly RunStep[]): Promise<void> {
    if (steps.length === 0) return;
    await sqlOf(tx).execute(
      `insert into run_step (tenant_id, id, run_id, position, kind, phase_index, batch_index, seq, step_id, health_round,
                             tool_name, tool_version, idempotent, changes, on_failure, compensation_idempotent, state)
       select $1, step.* from jsonb_to_recordset($2::jsonb) as step (
         id uuid, run_id uuid, position integer, kind text, phase_index integer, batch_index integer, seq integer, step_id text,
         health_round integer, tool_name text, tool_version integer, idempotent boolean, changes boolean, on_failure text,
         compensation_idempotent boolean, state text)`,
      [
        tx.tenantId,
        JSON.stringify(
          steps.map((step) => ({
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
          })),
        ),
      ],
    );
  }

  async saveStep(tx: Tx, step: RunStep): Promise<void> {
    await sqlOf(tx).execute(
      `update run_step set state = $3, attempts = $4, compensations = $5, failures = $6, fence = $7, lease_until = $8,
                           retry_at = $9, unknown_of = $10, resolved_as = $11, error = $12, finished_at = $13
        where tenant_id = $1 and id = $2`,
      [
        tx.tenantId,
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
      ],
    );
  }

  async insertAttempt(tx: Tx, attempt: StepAttempt): Promise<void> {
    await sqlOf(tx).execute(
      `insert into step_attempt (tenant_id, id, run_id, run_step_id, purpose, number, fence, decision_id, executor_name,
                                 arguments_digest, targets, dispatched_at, lease_until)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
      [
        tx.tenantId,
        attempt.id,
        attempt.runId,
        attempt.stepId,
        attempt.purpose,
        attempt.number,
        attempt.fence,
        attempt.decisionId,
        attempt.executorName,
        attempt.argumentsDigest,
        JSON.stringify(attempt.targets),
        at(attempt.dispatchedAt),
        at(attempt.leaseUntil),
      ],
    );
  }

  async attempts(tx: Tx, runId: RunId): Promise<readonly StepAttempt[]> {
    const rows = await sqlOf(tx).query<AttemptRow>(
      `select ${ATTEMPT_COLUMNS} from step_attempt
        where tenant_id = $1 and run_id = $2 order by dispatched_at, id`,
      [tx.tenantId, runId],
    );
    return rows.map(attemptOf);
  }

  async findAttempt(tx: Tx, id: AttemptId): Promise<StepAttempt | null> {
    const rows = await sqlOf(tx).query<AttemptRow>(
      `select ${ATTEMPT_COLUMNS} from step_attempt where tenant_id = $1 and id = $2`,
      [tx.tenantId, id],
    );
    return rows.map(attemptOf)[0] ?? null;
  }

  async latestAttempt(tx: Tx, stepId: RunStepId, purpose: StepAttempt['purpose']): Promise<StepAttempt | null> {
    const rows = await sqlOf(tx).query<AttemptRow>(
      `select ${ATTEMPT_COLUMNS} from step_attempt
        where tenant_id = $1 and run_step_id = $2 and purpose = $3 order by number desc limit 1`,
      [tx.tenantId, stepId, purpose],
    );
    return rows.map(attemptOf)[0] ?? null;
  }

  async failedHalfway(tx: Tx, runId: RunId): Promise<ReadonlySet<string>> {
    const rows = await sqlOf(tx).query<{ run_step_id: string }>(
      `select distinct attempt.run_step_id
         from step_attempt attempt
         join run_step step on step.tenant_id = attempt.tenant_id and step.id = attempt.run_step_id
        where attempt.tenant_id = $1 and attempt.run_id = $2 and attempt.purpose = 'call'
          and ((attempt.outcome = 'failed' and attempt.effect is distinct from 'not_started')
               -- Tried again, so that nobody was asked; a later refusal says nothing of what this one did.
               or (attempt.outcome = 'unknown' and step.idempotent and step.resolved_as is distinct from 'did_not'))`,
      [tx.tenantId, runId],
    );
    return new Set(rows.map((row) => row.run_step_id));
  }

  async finishAttempt(tx: Tx, id: AttemptId, result: AttemptResult): Promise<void> {
    await sqlOf(tx).execute(
      `update step_attempt set finished_at = $3, outcome = $4, effect = $5, result = $6, error = $7
        where tenant_id = $1 and id = $2 and outcome is null`,
      [tx.tenantId, id, at(result.finishedAt), result.outcome, result.effect, json(result.result), json(result.error)],
    );
  }

  async keepLate(tx: Tx, id: AttemptId, late: Json, lateAt: number): Promise<void> {
    await sqlOf(tx).execute(
      'update step_attempt set late_result = $3, late_at = $4 where tenant_id = $1 and id = $2 and late_at is null',
      [tx.tenantId, id, JSON.stringify(late), at(lateAt)],
    );
  }

  async healthCheckResults(
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

  async insertHealthResult(tx: Tx, runId: RunId, id: string, result: HealthResult): Promise<void> {
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

  async healthResults(tx: Tx, runId: RunId): Promise<readonly HealthResult[]> {
    const rows = await sqlOf(tx).query<HealthRow>(
      `select phase_index, batch_index, health_round, metrics, condition, verdict, explanation, evaluated_at
         from health_result where tenant_id = $1 and run_id = $2 order by evaluated_at, id`,
      [tx.tenantId, runId],
    );
    return rows.map(healthOf);
  }

  async appendEvent(tx: Tx, runId: RunId, event: RunEvent): Promise<void> {
    await sqlOf(tx).execute(
      'insert into run_event (tenant_id, run_id, seq, type, actor, data, at) values ($1, $2, $3, $4, $5, $6, $7)',
      [
        tx.tenantId,
        runId,
        event.seq,
        event.type,
        JSON.stringify(event.actor),
        JSON.stringify(event.data),
        at(event.at),
      ],
    );
  }

  async events(tx: Tx, runId: RunId, afterSeq: number, limit: number): Promise<readonly RunEvent[]> {
    const rows = await sqlOf(tx).query<EventRow>(
      `select seq, type, actor, data, at from run_event
        where tenant_id = $1 and run_id = $2 and seq > $3 order by seq limit $4`,
      [tx.tenantId, runId, afterSeq, limit],
    );
    return rows.map(eventOf);
  }

  async acquireTargets(tx: Tx, run: Run, { targets, whole, at: acquiredAt }: WantedTargets): Promise<WaitingOn | null> {
    const sql = sqlOf(tx);
    await this.#lockEnvironment(tx, run);
    const [held] = await sql.query<{ target: string; run_id: string }>(
      `select target, run_id from target_lock
        where tenant_id = $1 and environment_id = $2 and run_id <> $3 and ($4::boolean or target = any ($5::text[]) or target = $6)
        order by target limit 1`,
      [tx.tenantId, run.environmentId, run.id, targets.includes(whole), targets, whole],
    );
    if (held !== undefined) return { target: held.target, runId: held.run_id as RunId };
    await sql.execute(
      `insert into target_lock (tenant_id, environment_id, target, run_id, acquired_at)
       select $1, $2, target, $3, $4 from unnest($5::text[]) as target`,
      [tx.tenantId, run.environmentId, run.id, at(acquiredAt), targets],
    );
    return null;
  }

  async releaseTargets(tx: Tx, run: Run): Promise<readonly RunId[]> {
    const sql = sqlOf(tx);
    await this.#lockEnvironment(tx, run);
    await sql.execute('delete from target_lock where tenant_id = $1 and run_id = $2', [tx.tenantId, run.id]);
    const rows = await sql.query<{ id: string }>(
      'select id from run where tenant_id = $1 and environment_id = $2 and waiting_on is not null order by id',
      [tx.tenantId, run.environmentId],
    );
    return rows.map((row) => row.id as RunId);
  }

  /** After every row lock, and held for the shortest while: nobody takes a row lock behind it. */
  async #lockEnvironment(tx: Tx, run: Run): Promise<void> {
    await sqlOf(tx).query("select pg_advisory_xact_lock(hashtextextended('target_lock/' || $1 || '/' || $2, 0))", [
      tx.tenantId,
      run.environmentId,
    ]);
  }

  async canaryCompleted(tx: Tx, planId: PlanId): Promise<boolean> {
    const rows = await sqlOf(tx).query<{ id: string }>(
      "select id from run where tenant_id = $1 and plan_id = $2 and phases = 'canary' and state = 'completed' limit 1",
      [tx.tenantId, planId],
    );
    return rows.length > 0;
  }

  async inFlight(tx: Tx, target: HaltTarget): Promise<readonly InFlightStep[]> {
    const covered = coveredRuns(target, 2);
    const rows = await sqlOf(tx).query<{
      run_id: string;
      step_id: string;
      tool_name: string;
      tool_version: number;
      number: number;
      targets: readonly string[];
      state: AttemptState;
      dispatched_at: Date;
    }>(
      `select attempt.run_id, step.step_id, step.tool_name, step.tool_version, attempt.number, attempt.targets, step.state,
              attempt.dispatched_at
         from run_step step
         join step_attempt attempt
           on attempt.tenant_id = step.tenant_id and attempt.run_step_id = step.id and attempt.fence = step.fence
         join run on run.tenant_id = step.tenant_id and run.id = step.run_id
        where step.tenant_id = $1 and step.lease_until is not null and ${covered.condition}
        order by attempt.dispatched_at, attempt.id`,
      [tx.tenantId, ...covered.parameters],
    );
    return rows.map((row) => ({
      runId: row.run_id as RunId,
      stepId: row.step_id,
      tool: `${row.tool_name}@${String(row.tool_version)}`,
      attempt: row.number,
      targets: row.targets,
      state: row.state,
      dispatchedAt: row.dispatched_at.getTime(),
    }));
  }

  async liveRuns(tx: Tx, target: HaltTarget): Promise<readonly RunId[]> {
    const covered = coveredRuns(target, 2);
    const rows = await sqlOf(tx).query<{ id: string }>(
      `select run.id from run where run.tenant_id = $1 and run.finished_at is null and ${covered.condition} order by run.id`,
      [tx.tenantId, ...covered.parameters],
    );
    return rows.map((row) => row.id as RunId);
  }
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
      return { condition: `run.environment_id = ${parameter}`, parameters: [target.environmentId] };
    case 'agent':
      return {
        condition: `exists (select from plan where plan.tenant_id = run.tenant_id and plan.id = run.plan_id and plan.agent_id = ${parameter})`,
        parameters: [target.agentId],
      };
    case 'tool':
      return {
        condition: `exists (select from run_step held where held.tenant_id = run.tenant_id and held.run_id = run.id
                             and held.tool_name = ${parameter} and held.state in ('pending', 'dispatched', 'failed', 'unknown'))`,
        parameters: [target.tool],
      };
  }
}
