import { z } from 'zod';
import type { JsonObject } from '#lib/canonical';
import { anyJson, boolean, entity, integer, json, moment, nullable, smallint, text, uuid } from '#lib/database';
import {
  storedId,
  storedActorSchema,
  type AttemptState,
  type RunState,
  approvedTermsSchema,
  reasonSchema,
} from '#lib/formats';
import type {
  AgentId,
  ApprovalRequestId,
  DecisionId,
  Digest,
  EnvironmentId,
  IncidentId,
  PlanId,
  RunId,
  SimulationId,
  TaskId,
} from '#lib/kernel';
import type { AttemptId, RunStepId } from '../domain/ids.js';
import type { HealthResult, RunFacts, RunOutcome, RunReason } from '../domain/run.js';
import type { StepError, StepFacts, UnknownStep } from '../domain/run-step.js';
import type { AttemptFacts, AttemptResult } from '../domain/step-attempt.js';
import type { RunRequest } from '../domain/run-view.js';

const object = z.record(z.string(), z.json());
const count = z.int().min(0);

const reason: z.ZodType<RunReason> = z.strictObject({
  code: z.string(),
  message: z.string(),
  reasons: z.array(reasonSchema).exactOptional(),
  details: object.exactOptional(),
});

const error: z.ZodType<StepError> = z.strictObject({ code: z.string(), message: z.string() });

const outcome: z.ZodType<RunOutcome> = z.strictObject({
  duration_minutes: z.number(),
  affected_assets: count,
  calls: z.strictObject({ succeeded: count, failed: count, compensated: count, not_started: count }),
  not_undone: z.array(
    z.strictObject({
      step_id: z.string(),
      seq: z.int(),
      tool: z.string(),
      why: z.enum(['no_compensation', 'compensation_failed', 'failed_halfway', 'not_rolled_back']),
    }),
  ),
});

export const runEntity = entity(
  'run',
  { id: uuid<RunId>() },
  {
    taskId: uuid<TaskId>(),
    planId: uuid<PlanId>(),
    planDigest: text<Digest>(),
    headline: text(),
    risk: smallint(),
    environmentId: uuid<EnvironmentId>(),
    approvalRequestId: nullable(uuid<ApprovalRequestId>()),
    incidentId: nullable(uuid<IncidentId>()),
    simulationId: nullable(uuid<SimulationId>()),
    decisionId: uuid<DecisionId>(),
    approvedTerms: json(approvedTermsSchema),
    state: text<RunState>(),
    phases: text<RunFacts['phases']>(),
    requested: nullable(text<RunRequest>()),
    requestedBy: nullable(json(z.strictObject({ actor: storedActorSchema, reason }))),
    reason: nullable(json(reason)),
    rollbackReason: nullable(json(reason)),
    waitingOn: nullable(json(z.strictObject({ target: z.string(), run_id: storedId<RunId>() }))),
    waitUntil: nullable(moment()),
    pauseBy: nullable(moment()),
    healthRound: integer(),
    eventCount: integer(),
    outcome: nullable(json(outcome)),
    startedBy: json(storedActorSchema),
    traceParent: nullable(text()),
    startAt: nullable(moment()),
    nextAt: nullable(moment()),
    createdAt: moment(),
    startedAt: nullable(moment()),
    finishedAt: nullable(moment()),
    updatedAt: moment(),
    seal: text(),
  },
);

export const runStepEntity = entity(
  'run_step',
  { id: uuid<RunStepId>() },
  {
    runId: uuid<RunId>(),
    position: integer(),
    kind: text<StepFacts['kind']>(),
    phaseIndex: integer(),
    batchIndex: integer(),
    seq: integer(),
    stepId: text(),
    healthRound: integer(),
    toolName: text(),
    toolVersion: integer(),
    idempotent: boolean(),
    changes: boolean(),
    onFailure: text<StepFacts['onFailure']>(),
    compensationIdempotent: nullable(boolean()),
    state: text<AttemptState>(),
    attempts: integer(),
    compensations: integer(),
    failures: integer(),
    fence: integer(),
    leaseUntil: nullable(moment()),
    retryAt: nullable(moment()),
    unknownOf: nullable(text<UnknownStep['unknownOf']>()),
    resolvedAs: nullable(text<NonNullable<StepFacts['resolvedAs']>>()),
    error: nullable(json(error)),
    finishedAt: nullable(moment()),
  },
);

export const stepAttemptEntity = entity(
  'step_attempt',
  { id: uuid<AttemptId>() },
  {
    runId: uuid<RunId>(),
    runStepId: uuid<RunStepId>(),
    purpose: text<AttemptFacts['purpose']>(),
    number: integer(),
    fence: integer(),
    decisionId: uuid<DecisionId>(),
    executorName: text(),
    executorVersion: integer(),
    agentId: nullable(uuid<AgentId>()),
    argumentsDigest: text(),
    targets: json<readonly string[]>(z.array(z.string())),
    dispatchedAt: moment(),
    leaseUntil: moment(),
    finishedAt: nullable(moment()),
    outcome: nullable(text<AttemptResult['outcome']>()),
    effect: nullable(text<NonNullable<AttemptResult['effect']>>()),
    result: nullable(json(anyJson)),
    error: nullable(json(error)),
    lateResult: nullable(json(anyJson)),
    lateAt: nullable(moment()),
  },
);

export const healthResultEntity = entity(
  'health_result',
  { id: uuid() },
  {
    runId: uuid<RunId>(),
    phaseIndex: integer(),
    batchIndex: integer(),
    healthRound: integer(),
    metrics: json<Readonly<Record<string, number>>>(z.record(z.string(), z.number())),
    condition: nullable(text()),
    verdict: text<HealthResult['verdict']>(),
    explanation: text(),
    evaluatedAt: moment(),
  },
);

export const runEventEntity = entity(
  'run_event',
  { runId: uuid<RunId>(), seq: integer() },
  { type: text(), actor: json(storedActorSchema), data: json<JsonObject>(object), at: moment() },
);

/** The targets that live runs hold. */
export const targetLockEntity = entity(
  'target_lock',
  { environmentId: uuid<EnvironmentId>(), target: text() },
  { runId: uuid<RunId>(), acquiredAt: moment() },
);
