import type { ApprovedTerms } from '#lib/policy-inputs';
import {
  type Actor,
  type AttemptId,
  type DecisionId,
  digestText,
  type EnvironmentId,
  newId,
  type PlanId,
  type RunId,
  type RunStepId,
  type TaskId,
} from '#lib/kernel';
import type { HealthResult, Run, RunEvent, RunStep, StepAttempt } from '../domain/run.js';
import { NEW_RUN, NEW_STEP, UNANSWERED } from './fake-run-rules.js';

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

/** A queued run. */
export const sampleRun = (basis: RunBasis, changes: Partial<Run> = {}): Run => ({
  ...NEW_RUN,
  id: newId<RunId>(),
  taskId: basis.taskId,
  planId: basis.planId,
  environmentId: basis.environmentId,
  decisionId: basis.decisionId,
  planDigest: digestText('plan', '{}'),
  approvalRequestId: null,
  incidentId: null,
  simulationId: null,
  approvedTerms: sampleTerms,
  state: 'queued',
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

/** The run in that state, as the database allows it. */
export function runIn(run: Run, state: Run['state']): Run {
  const finished = !['queued', 'executing', 'paused', 'rolling_back'].includes(state);
  return {
    ...run,
    state,
    finishedAt: finished ? AT : null,
    nextAt: finished ? null : AT,
    rollbackReason: { code: 'run.roll_back_requested', message: 'asked for' },
    outcome: finished
      ? {
          duration_minutes: 0,
          affected_assets: 0,
          calls: { succeeded: 0, failed: 0, compensated: 0, not_started: 1 },
          not_undone: [],
        }
      : null,
  };
}

/** A step that is pending: a call of `deploy`. */
export const sampleStep = (run: Run, changes: Partial<RunStep> = {}): RunStep => ({
  ...NEW_STEP,
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
  state: 'pending',
  ...changes,
});

/** The step in that state, as the database allows it. */
export const stepIn = (step: RunStep, state: RunStep['state']): RunStep => ({
  ...step,
  state,
  leaseUntil: state === 'dispatched' ? AT + 30_000 : null,
  unknownOf: state === 'unknown' ? 'call' : null,
});

/** An attempt that is out. */
export const sampleAttempt = (run: Run, step: RunStep, changes: Partial<StepAttempt> = {}): StepAttempt => ({
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
