import type { JsonObject } from '#lib/canonical';
import type { AttemptDocument, RunDocument } from '#lib/formats';
import { digestOf, type EvidenceRef, toTimestamp, toTimestampOrNull } from '#lib/kernel';
import { toolKeyOf } from '#lib/plan';
import { requestOf, type EndedRun, type HealthResult } from './run.js';
import type { RunStep } from './run-step.js';
import type { FinishedAttempt } from './step-attempt.js';

/** An attempt that has been answered or given up, as evidence. A late answer is in the log alone. */
export const attemptDocument = (attempt: FinishedAttempt): AttemptDocument => ({
  id: attempt.id,
  run_id: attempt.runId,
  run_step_id: attempt.stepId,
  purpose: attempt.purpose,
  number: attempt.number,
  decision_id: attempt.decisionId,
  executor: attempt.executorName,
  executor_version: attempt.executorVersion,
  // An agent's report of its own work is unverified.
  ...(attempt.agentId === null ? {} : { agent_id: attempt.agentId, unverified: true }),
  arguments_digest: attempt.argumentsDigest,
  targets: [...attempt.targets],
  dispatched_at: toTimestamp(attempt.dispatchedAt),
  finished_at: toTimestamp(attempt.finishedAt),
  outcome: attempt.outcome,
  effect: attempt.effect,
  result: attempt.result,
  error: attempt.error === null ? null : { ...attempt.error },
});

/** The reference to an attempt in the audit log. */
export const attemptEvidence = (attempt: FinishedAttempt): EvidenceRef => ({
  kind: 'attempt',
  id: attempt.id,
  digest: digestOf('attempt', attemptDocument(attempt)),
});

/** A part of a run as JSON. The entity parsed it. The type of an interface has no index signature. */
const documentOf = (part: object | null): JsonObject | null => part as JsonObject | null;

/** A run that has ended, with its steps and the results of its health checks, as evidence. */
export const runDocument = (
  run: EndedRun,
  steps: readonly RunStep[],
  health: readonly HealthResult[],
): RunDocument => ({
  id: run.id,
  task_id: run.taskId,
  plan_id: run.planId,
  plan_digest: run.planDigest,
  environment_id: run.environmentId,
  approval_request_id: requestOf(run),
  ...(run.authority.kind === 'break_glass' ? { incident_id: run.authority.incidentId } : {}),
  simulation_id: run.simulationId,
  decision_id: run.decisionId,
  approved_terms: run.approvedTerms,
  phases: run.phases,
  state: run.state,
  reason: documentOf(run.reason),
  rollback_reason: documentOf(run.rollbackReason),
  outcome: documentOf(run.outcome),
  started_by: { ...run.startedBy },
  created_at: toTimestamp(run.createdAt),
  started_at: toTimestampOrNull(run.startedAt),
  finished_at: toTimestamp(run.finishedAt),
  steps: steps.map((step) => ({
    id: step.id,
    kind: step.kind,
    seq: step.seq,
    phase_index: step.phaseIndex,
    batch_index: step.batchIndex,
    step_id: step.stepId,
    health_round: step.healthRound,
    tool: toolKeyOf({ name: step.toolName, version: step.toolVersion }),
    state: step.state,
    attempts: step.attempts,
    compensations: step.compensations,
    resolved_as: step.resolvedAs,
    error: step.error === null ? null : { ...step.error },
  })),
  health: health.map((result) => ({
    phase_index: result.phaseIndex,
    batch_index: result.batchIndex,
    health_round: result.healthRound,
    metrics: { ...result.metrics },
    condition: result.condition,
    verdict: result.verdict,
    evaluated_at: toTimestamp(result.evaluatedAt),
  })),
});
