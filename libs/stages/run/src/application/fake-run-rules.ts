import { FakeRefusal, requireTransition } from '../../../../foundation/kernel/src/fake-refusal.js';
import { ATTEMPT_TRANSITIONS } from '../domain/attempt-transitions.js';
import { isFinished, RUN_TRANSITIONS } from '../domain/run-transitions.js';
import type { Run, RunStep, StepAttempt } from '../domain/run.js';

type Lifecycle = readonly (readonly [string, string, string])[];

const along = (lifecycle: Lifecycle, from: string, to: string): void => {
  requireTransition(
    lifecycle.map(([before, , after]) => ({ from: before, to: after })),
    from,
    to,
  );
};

const check = (name: string, holds: boolean): void => {
  if (!holds) throw new FakeRefusal('23514', name);
};

/** The rules of the database for each row of `run` (migrations/0140_run.sql). @param before empty for a new row. */
export function requireRun(before: Run['state'] | '', run: Run): void {
  along(RUN_TRANSITIONS, before, run.state);
  const rollsBack = run.state === 'rolling_back' || run.state === 'rolled_back' || run.state === 'rollback_failed';
  check('run_requested_by_check', (run.requested === null) === (run.requestedBy === null));
  check('run_finished_check', isFinished(run.state) === (run.finishedAt !== null));
  check('run_outcome_check', (run.finishedAt === null) === (run.outcome === null));
  check('run_next_at_check', run.finishedAt === null || run.nextAt === null);
  check('run_rollback_check', !rollsBack || run.rollbackReason !== null);
}

/** The same of every row of `run_step`. */
export function requireStep(before: RunStep['state'] | '', step: RunStep): void {
  along(ATTEMPT_TRANSITIONS, before, step.state);
  const leased = step.leaseUntil !== null;
  check('run_step_lease_check', !leased || step.state === 'dispatched' || step.state === 'compensating');
  check('run_step_dispatched_check', step.state !== 'dispatched' || leased);
  check('run_step_unknown_check', (step.state === 'unknown') === (step.unknownOf !== null));
  check('run_step_health_round_check', (step.kind === 'health_check') === step.healthRound > 0);
}

/** Columns that only a later statement fills: a new row has none of them. */
export const NEW_RUN = {
  requested: null,
  requestedBy: null,
  reason: null,
  rollbackReason: null,
  waitingOn: null,
  waitUntil: null,
  outcome: null,
  pauseBy: null,
  startedAt: null,
  finishedAt: null,
} as const satisfies Partial<Run>;

/** The same of a new step. */
export const NEW_STEP = {
  attempts: 0,
  compensations: 0,
  failures: 0,
  fence: 0,
  leaseUntil: null,
  retryAt: null,
  unknownOf: null,
  resolvedAs: null,
  error: null,
  finishedAt: null,
} as const satisfies Partial<RunStep>;

/** The plan and the authority of a run: no statement changes them. */
const FIXED_OF_RUN = [
  'taskId',
  'planId',
  'planDigest',
  'environmentId',
  'approvalRequestId',
  'incidentId',
  'simulationId',
  'decisionId',
  'approvedTerms',
  'phases',
  'startedBy',
  'startAt',
  'createdAt',
] as const satisfies readonly (keyof Run)[];

/** The same of a new attempt. */
export const UNANSWERED = {
  finishedAt: null,
  outcome: null,
  effect: null,
  result: null,
  error: null,
  lateResult: null,
  lateAt: null,
} as const satisfies Partial<StepAttempt>;

/** The columns of a step that a statement may change: its progress. */
const CHANGING_OF_STEP = ['state', ...(Object.keys(NEW_STEP) as (keyof typeof NEW_STEP)[])] as const;

/** The row after a statement that saves `run`. */
export const savedRun = (before: Run, run: Run): Run => ({ ...run, ...pick(before, FIXED_OF_RUN) });

export const savedStep = (before: RunStep, step: RunStep): RunStep => ({ ...before, ...pick(step, CHANGING_OF_STEP) });

const pick = <Row, Key extends keyof Row>(row: Row, keys: readonly Key[]): Pick<Row, Key> =>
  Object.fromEntries(keys.map((key) => [key, row[key]])) as Pick<Row, Key>;
