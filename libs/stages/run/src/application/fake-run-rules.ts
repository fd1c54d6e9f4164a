import { FakeRefusal, requireTransition } from '../../../../foundation/kernel/src/fake-refusal.js';
import { ATTEMPT_TRANSITIONS } from '../domain/attempt-transitions.js';
import { RUN_TRANSITIONS } from '../domain/run-transitions.js';
import type { QueuedRun, Run } from '../domain/run.js';
import type { RunStep } from '../domain/run-step.js';
import type { InFlightAttempt } from '../domain/step-attempt.js';

type Lifecycle = readonly (readonly [string, string, string])[];

const along = (lifecycle: Lifecycle, from: string, to: string): void => {
  requireTransition(
    lifecycle.map(([before, , after]) => ({ from: before, to: after })),
    from,
    to,
  );
};

/** The changes of state that the database accepts of a row of `run` (migrations/0140_run.sql). @param before empty for a new row. */
export function requireRun(before: Run['state'] | '', run: Run): void {
  along(RUN_TRANSITIONS, before, run.state);
}

/** The same of every row of `run_step`. */
export function requireStep(before: RunStep['state'] | '', step: RunStep): void {
  along(ATTEMPT_TRANSITIONS, before, step.state);
  if ((step.kind === 'health_check') !== step.healthRound > 0) {
    throw new FakeRefusal('23514', 'run_step_health_round_check');
  }
}

/** A new run: only a later statement fills these columns. */
export const NEW_RUN = {
  state: 'queued',
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
} as const satisfies Partial<QueuedRun>;

/** The plan and the authority of a run: no statement changes them. */
const FIXED_OF_RUN = [
  'taskId',
  'planId',
  'planDigest',
  'environmentId',
  'authority',
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
} as const satisfies Partial<InFlightAttempt>;

/** The call of a step: no statement changes it. */
const FIXED_OF_STEP = [
  'runId',
  'position',
  'kind',
  'phaseIndex',
  'batchIndex',
  'seq',
  'stepId',
  'healthRound',
  'toolName',
  'toolVersion',
  'idempotent',
  'changes',
  'onFailure',
  'compensationIdempotent',
] as const satisfies readonly (keyof RunStep)[];

/** The row after a statement that saves `run`. */
export const savedRun = (before: Run, run: Run): Run => ({ ...run, ...pick(before, FIXED_OF_RUN) });

export const savedStep = (before: RunStep, step: RunStep): RunStep => ({ ...step, ...pick(before, FIXED_OF_STEP) });

const pick = <Row, Key extends keyof Row>(row: Row, keys: readonly Key[]): Pick<Row, Key> =>
  Object.fromEntries(keys.map((key) => [key, row[key]])) as Pick<Row, Key>;
