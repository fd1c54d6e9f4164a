import type { ApprovedTerms } from '#lib/formats';
import {
  type Actor,
  type DecisionId,
  digestText,
  type EnvironmentId,
  newId,
  type PlanId,
  type RunId,
  type TaskId,
} from '#lib/kernel';
import type { AttemptId, RunStepId } from '../domain/ids.js';
import type { HealthResult, QueuedRun, Run, RunEvent, RunFacts, RunIn, RunReason } from '../domain/run.js';
import type { PendingStep, RunStep, StepFacts, StepIn } from '../domain/run-step.js';
import type { AttemptFacts, InFlightAttempt } from '../domain/step-attempt.js';
import { UNTOUCHED } from '../domain/step-changes.js';
import { NEW_RUN, UNANSWERED } from './fake-run-rules.js';

/** The rows that a run refers to. */
export interface RunBasis {
  readonly taskId: TaskId;
  readonly planId: PlanId;
  readonly environmentId: EnvironmentId;
  readonly decisionId: DecisionId;
}

const AT = Date.UTC(2026, 0, 5, 9);

export const sampleActor: Actor = {
  kind: 'system',
  id: 'run-executor',
  display_name: 'run-executor',
  credential_id: null,
  on_behalf_of: null,
};

const sampleTerms: ApprovedTerms = {
  outcome: 'allow',
  obligations: { approvals: [], mfa: false, phases: 'all', audit_level: 'basic', valid_minutes: 60 },
  effective: { mode: 'full_auto', source: 'default' },
};

export const sampleHeadline: RunFacts['headline'] = { headline: 'deploy on web-1, revision 1', risk: 'high' };

/** A queued run. */
export const sampleRun = (basis: RunBasis, changes: Partial<RunFacts> = {}): QueuedRun => ({
  ...NEW_RUN,
  id: newId<RunId>(),
  taskId: basis.taskId,
  planId: basis.planId,
  environmentId: basis.environmentId,
  decisionId: basis.decisionId,
  planDigest: digestText('plan', '{}'),
  headline: sampleHeadline,
  authority: { kind: 'policy' },
  simulationId: null,
  approvedTerms: sampleTerms,
  phases: 'all',
  healthRound: 1,
  eventCount: 0,
  startedBy: sampleActor,
  startAt: null,
  nextAt: AT,
  createdAt: AT,
  updatedAt: AT,
  ...changes,
});

const BROKEN: RunReason = { code: 'run.step_failed', message: 'broken' };

/** The run in that state. */
export function runIn<S extends Run['state']>(run: Run, state: S): RunIn<S> {
  const begun = { ...run, ...NEW_RUN, startedAt: AT, nextAt: AT };
  const ended = {
    ...begun,
    nextAt: null,
    finishedAt: AT,
    outcome: {
      duration_minutes: 0,
      affected_assets: 0,
      calls: { succeeded: 0, failed: 0, compensated: 0, not_started: 1 },
      not_undone: [],
    },
  };
  const rolledBack = { ...ended, reason: BROKEN, rollbackReason: BROKEN };
  const states: { readonly [Each in Run['state']]: RunIn<Each> } = {
    queued: { ...begun, state: 'queued', startedAt: null },
    executing: { ...begun, state: 'executing', pauseBy: AT + 60_000 },
    paused: { ...begun, state: 'paused', reason: BROKEN },
    rolling_back: { ...begun, state: 'rolling_back', reason: BROKEN, rollbackReason: BROKEN },
    completed: { ...ended, state: 'completed' },
    failed: { ...ended, state: 'failed', reason: BROKEN },
    cancelled: { ...ended, state: 'cancelled', reason: BROKEN },
    rolled_back: { ...rolledBack, state: 'rolled_back' },
    rollback_failed: { ...rolledBack, state: 'rollback_failed' },
  };
  return states[state];
}

/** A step that is pending: a call of `deploy`. */
export const sampleStep = (run: Run, changes: Partial<StepFacts> = {}): PendingStep => ({
  ...UNTOUCHED,
  id: newId<RunStepId>(),
  runId: run.id,
  position: 1,
  kind: 'call',
  phaseIndex: 0,
  batchIndex: 0,
  seq: 1,
  stepId: 'deploy_it',
  healthRound: 0,
  toolName: 'deploy',
  toolVersion: 1,
  idempotent: false,
  changes: true,
  onFailure: 'pause',
  compensationIdempotent: null,
  ...changes,
});

/** The step in that state. A compensation is in flight. */
export function stepIn<S extends RunStep['state']>(step: RunStep, state: S): StepIn<S> {
  const idle = { ...step, leaseUntil: null, retryAt: null, unknownOf: null, error: null, finishedAt: null };
  const failed = { ...idle, error: { code: 'tool.broken', message: 'broken' }, finishedAt: AT };
  const states: { readonly [Each in RunStep['state']]: StepIn<Each> } = {
    pending: { ...idle, state: 'pending' },
    dispatched: { ...idle, state: 'dispatched', leaseUntil: AT + 30_000 },
    succeeded: { ...idle, state: 'succeeded', finishedAt: AT },
    failed: { ...failed, state: 'failed' },
    unknown: { ...failed, state: 'unknown', unknownOf: 'call' },
    compensating: { ...idle, state: 'compensating', leaseUntil: AT + 30_000, finishedAt: AT },
    compensated: { ...idle, state: 'compensated', finishedAt: AT },
    compensation_failed: { ...failed, state: 'compensation_failed' },
  };
  return states[state];
}

/** An attempt that was dispatched and has no result. */
export const sampleAttempt = (run: Run, step: RunStep, changes: Partial<AttemptFacts> = {}): InFlightAttempt => ({
  ...UNANSWERED,
  id: newId<AttemptId>(),
  runId: run.id,
  stepId: step.id,
  purpose: 'call',
  number: 1,
  fence: 1,
  decisionId: run.decisionId,
  executorName: 'fleet',
  executorVersion: 1,
  agentId: null,
  argumentsDigest: digestText('arguments', '{}'),
  targets: ['host-1'],
  dispatchedAt: AT,
  leaseUntil: AT + 30_000,
  ...changes,
});

export const sampleHealth = (changes: Partial<HealthResult> = {}): HealthResult => ({
  phaseIndex: 0,
  batchIndex: 0,
  healthRound: 1,
  metrics: { 'web.error_rate': 0.01 },
  condition: 'web.error_rate > 0.05',
  verdict: 'healthy',
  explanation: 'The rollback condition "web.error_rate > 0.05" is not met.',
  evaluatedAt: AT,
  ...changes,
});

export const sampleEvent = (seq: number): RunEvent => ({
  seq,
  type: 'run.created',
  actor: sampleActor,
  data: { number: seq },
  at: AT + seq,
});
