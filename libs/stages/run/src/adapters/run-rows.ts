import { MalformedRecordError, type RowOf } from '#lib/database';
import { TOOL_LEVELS } from '#lib/formats';
import type { NoRequest, OpenRequest, Run, RunAuthority } from '../domain/run.js';
import type { RunStep } from '../domain/run-step.js';
import type { StepAttempt } from '../domain/step-attempt.js';
import { runEntity, runStepEntity, stepAttemptEntity } from './run.entity.js';

/** The columns of a run's facts and progress. Its seal and its trace are read apart. */
export const RUN_ROW = runEntity.without('seal', 'traceParent');
export const STEP_ROW = runStepEntity.all;
export const ATTEMPT_ROW = stepAttemptEntity.all;

type RunRow = Omit<RowOf<typeof runEntity>, 'seal' | 'traceParent'>;
type StepRow = RowOf<typeof runStepEntity>;
type AttemptRow = RowOf<typeof stepAttemptEntity>;

/** Gives what the row's state needs. @throws {FailureError} `record.malformed` if the row lacks it. */
const requireMembers =
  (table: string, id: string, state: string) =>
  <T>(value: T | null): T => {
    if (value === null) throw new MalformedRecordError({ table, id }, `It lacks what belongs to the state ${state}.`);
    return value;
  };

/**
 * Each state sets every member that depends on it, so the whole row is copied. To leave members out costs twenty times
 * as much.
 * @throws {FailureError} `record.malformed`.
 */
export function runOf({ approvalRequestId, incidentId, headline: line, risk, ...row }: RunRow): Run {
  const { state, requested, requestedBy, reason, rollbackReason, waitingOn, waitUntil, pauseBy } = row;
  const { outcome, nextAt, startedAt, finishedAt } = row;
  const needed = requireMembers('run', row.id, state);
  const request: OpenRequest | NoRequest =
    requested === null ? { requested, requestedBy: null } : { requested, requestedBy: needed(requestedBy) };
  const authority = authorityOf(approvalRequestId, incidentId);
  const headline = { headline: line, risk: TOOL_LEVELS[risk] ?? 'critical' };
  const live = {
    ...row,
    headline,
    authority,
    ...request,
    waitingOn: null,
    pauseBy: null,
    outcome: null,
    finishedAt: null,
  };
  switch (state) {
    case 'queued': {
      const waits = waitingOn && { target: waitingOn.target, runId: waitingOn.run_id };
      const none = { reason: null, rollbackReason: null, waitUntil: null, startedAt: null };
      return { ...live, ...none, state, waitingOn: waits, nextAt: needed(nextAt) };
    }
    case 'executing': {
      const times = { waitUntil, nextAt: needed(nextAt), pauseBy: needed(pauseBy), startedAt: needed(startedAt) };
      return { ...live, ...times, state, reason: null, rollbackReason: null };
    }
    case 'paused': {
      const paused = { ...live, state, reason: needed(reason), waitUntil, nextAt, startedAt: needed(startedAt) };
      return rollbackReason === null ? { ...paused, rollbackReason } : { ...paused, rollbackReason };
    }
    case 'rolling_back': {
      const reasons = { reason: needed(reason), rollbackReason: needed(rollbackReason) };
      return { ...live, ...reasons, state, waitUntil, nextAt: needed(nextAt), startedAt: needed(startedAt) };
    }
    default: {
      const result = { outcome: needed(outcome), finishedAt: needed(finishedAt) };
      const ended = { ...live, ...result, requested: null, requestedBy: null, waitUntil: null, nextAt: null };
      if (state === 'completed') {
        return { ...ended, state, reason: null, rollbackReason: null, startedAt: needed(startedAt) };
      }
      const stopped = { ...ended, reason: needed(reason) };
      if (state === 'failed' || state === 'cancelled') return { ...stopped, state, rollbackReason, startedAt };
      return { ...stopped, state, rollbackReason: needed(rollbackReason), startedAt: needed(startedAt) };
    }
  }
}

/** The database refuses a row with both. */
function authorityOf(requestId: RunRow['approvalRequestId'], incidentId: RunRow['incidentId']): RunAuthority {
  if (requestId !== null) return { kind: 'approval', requestId };
  return incidentId === null ? { kind: 'policy' } : { kind: 'break_glass', incidentId };
}

/** @throws {FailureError} `record.malformed`. */
export function stepOf(row: StepRow): RunStep {
  const { state, leaseUntil, retryAt, unknownOf, error, finishedAt } = row;
  const needed = requireMembers('run_step', row.id, state);
  const idle = { ...row, leaseUntil: null, retryAt: null, unknownOf: null };
  switch (state) {
    case 'pending':
      return { ...idle, state, retryAt, error, finishedAt: null };
    case 'dispatched':
      return { ...idle, state, leaseUntil: needed(leaseUntil), error, finishedAt: null };
    case 'unknown':
      return { ...idle, state, unknownOf: needed(unknownOf), error: needed(error), finishedAt: needed(finishedAt) };
    case 'failed':
    case 'compensation_failed':
      return { ...idle, state, error: needed(error), finishedAt: needed(finishedAt) };
    case 'compensating': {
      const undoing = { ...idle, state, finishedAt: needed(finishedAt) };
      return leaseUntil === null
        ? { ...undoing, leaseUntil, retryAt: needed(retryAt), error: needed(error) }
        : { ...undoing, leaseUntil, retryAt: null, error };
    }
    default:
      return { ...idle, state, error, finishedAt: needed(finishedAt) };
  }
}

/** @throws {FailureError} `record.malformed`. */
export function attemptOf(row: AttemptRow): StepAttempt {
  const { runStepId: stepId, finishedAt, outcome, effect, result, error, lateResult, lateAt, ...facts } = row;
  const needed = requireMembers('step_attempt', facts.id, outcome ?? 'dispatched');
  const attempt = {
    ...facts,
    stepId,
    effect: null,
    result: null,
    error: null,
    ...(lateAt === null ? { lateResult: null, lateAt } : { lateResult, lateAt }),
  };
  switch (outcome) {
    case null:
      return { ...attempt, outcome, finishedAt: null };
    case 'succeeded':
      return { ...attempt, outcome, finishedAt: needed(finishedAt), result };
    case 'failed':
      return { ...attempt, outcome, finishedAt: needed(finishedAt), effect: needed(effect), error: needed(error) };
    case 'unknown':
      return { ...attempt, outcome, finishedAt: needed(finishedAt), error: needed(error) };
  }
}
