import type { Json, JsonObject } from '#lib/canonical';
import type { AttemptState, RunState } from '#lib/formats';
import type { ApprovedTerms } from '#lib/policy-inputs';
import type {
  Actor,
  AgentId,
  ApprovalRequestId,
  AttemptId,
  DecisionId,
  Digest,
  EnvironmentId,
  IncidentId,
  PlanId,
  RunId,
  RunStepId,
  SimulationId,
  TaskId,
} from '#lib/kernel';
import type {
  HealthResult,
  Run,
  RunEvent,
  RunOutcome,
  RunReason,
  RunStep,
  StepAttempt,
  StepError,
  WaitingOn,
} from '../domain/run.js';
import type { RunRequest } from '../domain/run-view.js';

/** A time as the driver reads a column, or as PostgreSQL writes it into JSON. */
type Moment = Date | string;

const time = (moment: Moment): number => (typeof moment === 'string' ? Date.parse(moment) : moment.getTime());

/** In epoch milliseconds. */
export const ms = (moment: Moment | null): number | null => (moment === null ? null : time(moment));

export const RUN_COLUMNS = `run.id, run.task_id, run.plan_id, run.plan_digest, run.environment_id, run.approval_request_id, run.incident_id,
  run.simulation_id, run.decision_id, run.approved_terms, run.state, run.phases, run.requested, run.requested_by, run.reason,
  run.rollback_reason, run.waiting_on, run.wait_until, run.health_round, run.event_count, run.outcome, run.started_by,
  run.start_at, run.next_at, run.pause_by, run.created_at, run.started_at, run.finished_at, run.updated_at`;

export interface RunRow {
  readonly id: string;
  readonly task_id: string;
  readonly plan_id: string;
  readonly plan_digest: string;
  readonly environment_id: string;
  readonly approval_request_id: string | null;
  readonly incident_id: string | null;
  readonly simulation_id: string | null;
  readonly decision_id: string;
  readonly approved_terms: ApprovedTerms;
  readonly state: RunState;
  readonly phases: Run['phases'];
  readonly requested: RunRequest | null;
  readonly requested_by: { readonly actor: Actor; readonly reason: RunReason } | null;
  readonly reason: RunReason | null;
  readonly rollback_reason: RunReason | null;
  readonly waiting_on: { readonly target: string; readonly run_id: string } | null;
  readonly wait_until: Moment | null;
  readonly health_round: number;
  readonly event_count: number;
  readonly outcome: RunOutcome | null;
  readonly started_by: Actor;
  readonly start_at: Moment | null;
  readonly next_at: Moment | null;
  readonly pause_by: Moment | null;
  readonly created_at: Moment;
  readonly started_at: Moment | null;
  readonly finished_at: Moment | null;
  readonly updated_at: Moment;
}

export const waitingOnJson = (waiting: WaitingOn | null): { target: string; run_id: string } | null =>
  waiting === null ? null : { target: waiting.target, run_id: waiting.runId };

export const runOf = (row: RunRow): Run => ({
  id: row.id as RunId,
  taskId: row.task_id as TaskId,
  planId: row.plan_id as PlanId,
  planDigest: row.plan_digest as Digest,
  environmentId: row.environment_id as EnvironmentId,
  approvalRequestId: row.approval_request_id as ApprovalRequestId | null,
  incidentId: row.incident_id as IncidentId | null,
  simulationId: row.simulation_id as SimulationId | null,
  decisionId: row.decision_id as DecisionId,
  approvedTerms: row.approved_terms,
  state: row.state,
  phases: row.phases,
  requested: row.requested,
  requestedBy: row.requested_by,
  reason: row.reason,
  rollbackReason: row.rollback_reason,
  waitingOn: row.waiting_on === null ? null : { target: row.waiting_on.target, runId: row.waiting_on.run_id as RunId },
  waitUntil: ms(row.wait_until),
  healthRound: row.health_round,
  eventCount: row.event_count,
  outcome: row.outcome,
  startedBy: row.started_by,
  startAt: ms(row.start_at),
  nextAt: ms(row.next_at),
  pauseBy: ms(row.pause_by),
  createdAt: time(row.created_at),
  startedAt: ms(row.started_at),
  finishedAt: ms(row.finished_at),
  updatedAt: time(row.updated_at),
});

export const STEP_COLUMNS = `id, run_id, position, kind, phase_index, batch_index, seq, step_id, health_round, tool_name,
  tool_version, idempotent, changes, on_failure, compensation_idempotent, state, attempts, compensations, failures, fence,
  lease_until, retry_at, unknown_of, resolved_as, error, finished_at`;

export interface StepRow {
  readonly id: string;
  readonly run_id: string;
  readonly position: number;
  readonly kind: RunStep['kind'];
  readonly phase_index: number;
  readonly batch_index: number;
  readonly seq: number;
  readonly step_id: string;
  readonly health_round: number;
  readonly tool_name: string;
  readonly tool_version: number;
  readonly idempotent: boolean;
  readonly changes: boolean;
  readonly on_failure: RunStep['onFailure'];
  readonly compensation_idempotent: boolean | null;
  readonly state: AttemptState;
  readonly attempts: number;
  readonly compensations: number;
  readonly failures: number;
  readonly fence: number;
  readonly lease_until: Moment | null;
  readonly retry_at: Moment | null;
  readonly unknown_of: RunStep['unknownOf'];
  readonly resolved_as: RunStep['resolvedAs'];
  readonly error: StepError | null;
  readonly finished_at: Moment | null;
}

export const stepOf = (row: StepRow): RunStep => ({
  id: row.id as RunStepId,
  runId: row.run_id as RunId,
  position: row.position,
  kind: row.kind,
  phaseIndex: row.phase_index,
  batchIndex: row.batch_index,
  seq: row.seq,
  stepId: row.step_id,
  healthRound: row.health_round,
  toolName: row.tool_name,
  toolVersion: row.tool_version,
  idempotent: row.idempotent,
  changes: row.changes,
  onFailure: row.on_failure,
  compensationIdempotent: row.compensation_idempotent,
  state: row.state,
  attempts: row.attempts,
  compensations: row.compensations,
  failures: row.failures,
  fence: row.fence,
  leaseUntil: ms(row.lease_until),
  retryAt: ms(row.retry_at),
  unknownOf: row.unknown_of,
  resolvedAs: row.resolved_as,
  error: row.error,
  finishedAt: ms(row.finished_at),
});

export const ATTEMPT_COLUMNS = `id, run_id, run_step_id, purpose, number, fence, decision_id, executor_name,
  executor_version, agent_id, arguments_digest, targets, dispatched_at, lease_until, finished_at, outcome, effect, result, error, late_result, late_at`;

export interface AttemptRow {
  readonly id: string;
  readonly run_id: string;
  readonly run_step_id: string;
  readonly purpose: StepAttempt['purpose'];
  readonly number: number;
  readonly fence: number;
  readonly decision_id: string;
  readonly executor_name: string;
  readonly executor_version: number;
  readonly agent_id: string | null;
  readonly arguments_digest: string;
  readonly targets: readonly string[];
  readonly dispatched_at: Moment;
  readonly lease_until: Moment;
  readonly finished_at: Moment | null;
  readonly outcome: StepAttempt['outcome'];
  readonly effect: StepAttempt['effect'];
  readonly result: Json | null;
  readonly error: StepError | null;
  readonly late_result: Json | null;
  readonly late_at: Moment | null;
}

export const attemptOf = (row: AttemptRow): StepAttempt => ({
  id: row.id as AttemptId,
  runId: row.run_id as RunId,
  stepId: row.run_step_id as RunStepId,
  purpose: row.purpose,
  number: row.number,
  fence: row.fence,
  decisionId: row.decision_id as DecisionId,
  executorName: row.executor_name,
  executorVersion: row.executor_version,
  agentId: row.agent_id as AgentId | null,
  argumentsDigest: row.arguments_digest,
  targets: row.targets,
  dispatchedAt: time(row.dispatched_at),
  leaseUntil: time(row.lease_until),
  finishedAt: ms(row.finished_at),
  outcome: row.outcome,
  effect: row.effect,
  result: row.result,
  error: row.error,
  lateResult: row.late_result,
  lateAt: ms(row.late_at),
});

export interface HealthRow {
  readonly phase_index: number;
  readonly batch_index: number;
  readonly health_round: number;
  readonly metrics: Readonly<Record<string, number>>;
  readonly condition: string | null;
  readonly verdict: HealthResult['verdict'];
  readonly explanation: string;
  readonly evaluated_at: Moment;
}

export const healthOf = (row: HealthRow): HealthResult => ({
  phaseIndex: row.phase_index,
  batchIndex: row.batch_index,
  healthRound: row.health_round,
  metrics: row.metrics,
  condition: row.condition,
  verdict: row.verdict,
  explanation: row.explanation,
  evaluatedAt: time(row.evaluated_at),
});

export interface EventRow {
  readonly seq: number;
  readonly type: string;
  readonly actor: Actor;
  readonly data: JsonObject;
  readonly at: Moment;
}

export const eventOf = (row: EventRow): RunEvent => ({
  seq: row.seq,
  type: row.type,
  actor: row.actor,
  data: row.data,
  at: time(row.at),
});
