import { IsNull } from 'typeorm';
import type { Json } from '#lib/canonical';
import { rowsOf, sqlOf } from '#lib/database';
import type { RunId, Tx } from '#lib/kernel';
import type { AttemptId, RunStepId } from '../domain/ids.js';
import type { AttemptResult, FinishedAttempt, InFlightAttempt, StepAttempt } from '../domain/step-attempt.js';
import { at, json } from './columns.js';
import { runStepEntity, stepAttemptEntity } from './run.entity.js';
import { attemptOf } from './run-rows.js';

const STEP = runStepEntity.as('step');
const ATTEMPT = stepAttemptEntity.as('attempt');

export function insertAttempt(tx: Tx, attempt: InFlightAttempt): Promise<void> {
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
  const rows = await rowsOf(tx, stepAttemptEntity).find({ runId }, { order: { dispatchedAt: 'asc', id: 'asc' } });
  return rows.map(attemptOf);
}

export async function findAttempt(tx: Tx, id: AttemptId): Promise<StepAttempt | null> {
  const row = await rowsOf(tx, stepAttemptEntity).findOne({ id });
  return row && attemptOf(row);
}

export async function latestAttempt(
  tx: Tx,
  runStepId: RunStepId,
  purpose: StepAttempt['purpose'],
): Promise<StepAttempt | null> {
  const latestFirst = { order: { number: 'desc' }, limit: 1 } as const;
  const row = await rowsOf(tx, stepAttemptEntity).findOne({ runStepId, purpose }, latestFirst);
  return row && attemptOf(row);
}

const STEP_ID = stepAttemptEntity.pick('runStepId');

export async function failedHalfway(tx: Tx, runId: RunId): Promise<ReadonlySet<string>> {
  const rows = await sqlOf(tx).query<object>(
    `select distinct ${STEP_ID.columns('attempt')}
       from step_attempt attempt
       join run_step step on step.tenant_id = attempt.tenant_id and ${STEP.id} = ${ATTEMPT.runStepId}
      where attempt.tenant_id = $1 and ${ATTEMPT.runId} = $2 and ${ATTEMPT.purpose} = 'call'
        and ((${ATTEMPT.outcome} = 'failed' and ${ATTEMPT.effect} <> 'not_started')
             -- Tried again, so that nobody was asked; a later refusal says nothing of what this one did.
             or (${ATTEMPT.outcome} = 'unknown' and ${STEP.idempotent} and ${STEP.resolvedAs} is distinct from 'did_not'))`,
    [tx.tenantId, runId],
  );
  return new Set(rows.map((row) => STEP_ID.row(row).runStepId));
}

export function finishAttempt(tx: Tx, attempt: InFlightAttempt, result: AttemptResult): Promise<FinishedAttempt> {
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

export async function keepLate(tx: Tx, id: AttemptId, lateResult: Json, lateAt: number): Promise<void> {
  await rowsOf(tx, stepAttemptEntity).update({ id, lateAt: IsNull() }, { lateResult, lateAt });
}
