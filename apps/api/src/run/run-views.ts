import type { AutonomyLine } from '#lib/autonomy';
import type { RunDetailView, RunEventView, RunView, RunWorkView } from '#lib/api-schemas';
import { toTimestamp, toTimestampOrNull } from '#lib/kernel';
import {
  incidentOf,
  requestOf,
  type ExplainedRun,
  type Run,
  type RunEvent,
  type RunReason,
  type RunStep,
  type StepAttempt,
  type WorkItem,
} from '#lib/run';
import { headlineView } from '../plan/headlines.js';
import { explanationView } from '../task/task-views.js';

type ReasonView = NonNullable<RunView['reason']>;

const reasonView = (reason: RunReason | null): ReasonView | null =>
  reason === null
    ? null
    : {
        code: reason.code,
        message: reason.message,
        ...(reason.reasons === undefined ? {} : { reasons: reason.reasons.map((each) => ({ ...each })) }),
        ...(reason.details === undefined ? {} : { details: reason.details }),
      };

export const runView = (run: Run): RunView => ({
  id: run.id,
  task_id: run.taskId,
  plan_id: run.planId,
  plan_digest: run.planDigest,
  ...headlineView(run.headline),
  environment_id: run.environmentId,
  approval_request_id: requestOf(run),
  incident_id: incidentOf(run),
  simulation_id: run.simulationId,
  state: run.state,
  scope: run.phases,
  requested: run.requested,
  reason: reasonView(run.reason),
  rollback_reason: reasonView(run.rollbackReason),
  waiting_on: run.waitingOn === null ? null : { target: run.waitingOn.target, run_id: run.waitingOn.runId },
  wait_until: toTimestampOrNull(run.waitUntil),
  pause_by: toTimestampOrNull(run.pauseBy),
  outcome:
    run.outcome === null ? null : { ...run.outcome, not_undone: run.outcome.not_undone.map((each) => ({ ...each })) },
  started_by: { ...run.startedBy },
  created_at: toTimestamp(run.createdAt),
  started_at: toTimestampOrNull(run.startedAt),
  finished_at: toTimestampOrNull(run.finishedAt),
});

export const runDetailView = (explained: ExplainedRun, line: AutonomyLine | null): RunDetailView => {
  const { run, environmentName, steps, attempts, health, decision, predicted, resumeRefused: refused } = explained;
  const byStep = attemptsByStep(attempts);
  return {
    ...runView(run),
    environment: environmentName,
    steps: steps.map((step) => stepView(step, byStep.get(step.id) ?? [])),
    health: health.map((result) => ({
      phase_index: result.phaseIndex,
      batch_index: result.batchIndex,
      health_round: result.healthRound,
      metrics: { ...result.metrics },
      condition: result.condition,
      verdict: result.verdict,
      explanation: result.explanation,
      evaluated_at: toTimestamp(result.evaluatedAt),
    })),
    explanation: explanationView(decision, line),
    autonomy: run.approvedTerms.effective,
    predicted:
      predicted === null
        ? null
        : {
            affected_assets: predicted.affected_assets,
            estimated_duration_minutes: predicted.estimated_duration_minutes,
            predicted_risk: predicted.predicted_risk,
          },
    resume_refused:
      refused === null ? null : { code: refused.code, message: refused.message, action: refused.action ?? null },
  };
};

function attemptsByStep(attempts: readonly StepAttempt[]): ReadonlyMap<string, readonly StepAttempt[]> {
  const byStep = new Map<string, StepAttempt[]>();
  for (const attempt of attempts) {
    const own = byStep.get(attempt.stepId);
    if (own === undefined) byStep.set(attempt.stepId, [attempt]);
    else own.push(attempt);
  }
  return byStep;
}

const stepView = (step: RunStep, attempts: readonly StepAttempt[]): RunDetailView['steps'][number] => ({
  id: step.id,
  kind: step.kind,
  phase_index: step.phaseIndex,
  batch_index: step.batchIndex,
  seq: step.seq,
  step_id: step.stepId,
  health_round: step.healthRound,
  tool: `${step.toolName}@${String(step.toolVersion)}`,
  idempotent: step.idempotent,
  compensable: step.compensationIdempotent !== null,
  on_failure: step.onFailure,
  state: step.state,
  unknown_of: step.unknownOf,
  resolved_as: step.resolvedAs,
  error: step.error === null ? null : { ...step.error },
  attempts: attempts.map(attemptView),
});

type AttemptView = RunDetailView['steps'][number]['attempts'][number];

const attemptView = (attempt: StepAttempt): AttemptView => ({
  id: attempt.id,
  purpose: attempt.purpose,
  number: attempt.number,
  decision_id: attempt.decisionId,
  executor: attempt.executorName,
  executor_version: attempt.executorVersion,
  unverified: attempt.agentId !== null,
  arguments_digest: attempt.argumentsDigest,
  targets: [...attempt.targets],
  dispatched_at: toTimestamp(attempt.dispatchedAt),
  finished_at: toTimestampOrNull(attempt.finishedAt),
  outcome: attempt.outcome,
  effect: attempt.effect,
  // Zod's type of JSON has no readonly members.
  result: attempt.result as AttemptView['result'],
  error: attempt.error === null ? null : { ...attempt.error },
  // As the result.
  late_result: attempt.lateResult as AttemptView['late_result'],
});

export const workItemView = (item: WorkItem): RunWorkView['items'][number] => ({
  attempt_id: item.attempt.id,
  run_step_id: item.step.id,
  step_id: item.step.stepId,
  purpose: item.attempt.purpose,
  number: item.attempt.number,
  tool: `${item.step.toolName}@${String(item.step.toolVersion)}`,
  // Zod's type of JSON has no readonly members.
  arguments: item.arguments as RunWorkView['items'][number]['arguments'],
  arguments_digest: item.attempt.argumentsDigest,
  targets: [...item.attempt.targets],
  idempotency_key: item.idempotencyKey,
  grant: item.grant,
  grant_expires_at: toTimestamp(item.grantExpiresAt),
  lease_until: toTimestamp(item.leaseUntil),
});

export const runEventView = (event: RunEvent): RunEventView => ({
  seq: event.seq,
  type: event.type,
  actor: { ...event.actor },
  // Zod's type of JSON has no readonly members.
  data: event.data as RunEventView['data'],
  at: toTimestamp(event.at),
});
