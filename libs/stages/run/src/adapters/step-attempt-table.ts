import type { Json } from '#lib/canonical';
import { sqlOf } from '#lib/database';
import type { AttemptId, RunId, RunStepId, Tx } from '#lib/kernel';
import type { AttemptResult } from '../application/run.repository.js';
import type { StepAttempt } from '../domain/run.js';
import { at, json } from './columns.js';
import { ATTEMPT_COLUMNS, attemptOf, type AttemptRow } from './run-rows.js';

export function insertAttempt(tx: Tx, attempt: StepAttempt): Promise<void> {
  sqlOf(tx).callAhead('step_attempt_insert', [
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
    attempt.executorVersion,
    attempt.agentId,
  ]);
  return Promise.resolve();
}

export async function attempts(tx: Tx, runId: RunId): Promise<readonly StepAttempt[]> {
  const rows = await sqlOf(tx).query<AttemptRow>(
    `select ${ATTEMPT_COLUMNS} from step_attempt
      where tenant_id = $1 and run_id = $2 order by dispatched_at, id`,
    [tx.tenantId, runId],
  );
  return rows.map(attemptOf);
}

export async function findAttempt(tx: Tx, id: AttemptId): Promise<StepAttempt | null> {
  const rows = await sqlOf(tx).query<AttemptRow>(
    `select ${ATTEMPT_COLUMNS} from step_attempt where tenant_id = $1 and id = $2`,
    [tx.tenantId, id],
  );
  return rows.map(attemptOf)[0] ?? null;
}

export async function latestAttempt(
  tx: Tx,
  stepId: RunStepId,
  purpose: StepAttempt['purpose'],
): Promise<StepAttempt | null> {
  const rows = await sqlOf(tx).query<AttemptRow>(
    `select ${ATTEMPT_COLUMNS} from step_attempt
      where tenant_id = $1 and run_step_id = $2 and purpose = $3 order by number desc limit 1`,
    [tx.tenantId, stepId, purpose],
  );
  return rows.map(attemptOf)[0] ?? null;
}

export async function failedHalfway(tx: Tx, runId: RunId): Promise<ReadonlySet<string>> {
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

export function finishAttempt(tx: Tx, attempt: StepAttempt, result: AttemptResult): Promise<StepAttempt> {
  sqlOf(tx).callAhead('step_attempt_finish', [
    attempt.id,
    at(result.finishedAt),
    result.outcome,
    result.effect,
    json(result.result),
    json(result.error),
  ]);
  return Promise.resolve({ ...attempt, ...result });
}

export async function keepLate(tx: Tx, id: AttemptId, late: Json, lateAt: number): Promise<void> {
  await sqlOf(tx).execute(
    'update step_attempt set late_result = $3, late_at = $4 where tenant_id = $1 and id = $2 and late_at is null',
    [tx.tenantId, id, JSON.stringify(late), at(lateAt)],
  );
}
