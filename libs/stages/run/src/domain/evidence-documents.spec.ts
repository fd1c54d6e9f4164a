import { digestOf } from '#lib/kernel';
import { attemptDocument, attemptEvidence, runDocument } from './evidence-documents.js';
import { succeededStep } from './fake-run-plan.js';
import type { EndedRun, HealthResult } from './run.js';
import type { FinishedAttempt } from './step-attempt.js';

const ERROR = { code: 'tool.refused', message: 'The host refused.' };
const ATTEMPT = {
  id: 'attempt',
  runId: 'run',
  stepId: 'step',
  purpose: 'call',
  number: 2,
  fence: 3,
  decisionId: 'decision',
  executorName: 'fleet',
  executorVersion: 4,
  agentId: null,
  argumentsDigest: 'sha256:1',
  targets: ['a', 'b'],
  dispatchedAt: 0,
  leaseUntil: 9_000,
  finishedAt: 1_500,
  outcome: 'failed',
  effect: 'done',
  result: null,
  error: ERROR,
  lateResult: null,
  lateAt: null,
} as unknown as FinishedAttempt;

describe('an attempt as evidence', () => {
  it('has its executor, arguments, times and result, and no lease', () => {
    expect(attemptDocument(ATTEMPT)).toEqual({
      id: 'attempt',
      run_id: 'run',
      run_step_id: 'step',
      purpose: 'call',
      number: 2,
      decision_id: 'decision',
      executor: 'fleet',
      executor_version: 4,
      arguments_digest: 'sha256:1',
      targets: ['a', 'b'],
      dispatched_at: '1970-01-01T00:00:00.000Z',
      finished_at: '1970-01-01T00:00:01.500Z',
      outcome: 'failed',
      effect: 'done',
      result: null,
      error: ERROR,
    });
  });

  it('of an agent that reports its own work is unverified', () => {
    const reported = { ...ATTEMPT, agentId: 'agent', outcome: 'succeeded', error: null } as unknown as FinishedAttempt;
    expect(attemptDocument(reported)).toMatchObject({ agent_id: 'agent', unverified: true, error: null });
  });

  it('is referred to by its digest', () => {
    const digest = digestOf('attempt', attemptDocument(ATTEMPT));
    expect(attemptEvidence(ATTEMPT)).toEqual({ kind: 'attempt', id: 'attempt', digest });
  });
});

describe('a run as evidence', () => {
  const run = {
    id: 'run',
    taskId: 'task',
    planId: 'plan',
    planDigest: 'sha256:2',
    environmentId: 'environment',
    authority: { kind: 'approval', requestId: 'request' },
    simulationId: null,
    decisionId: 'decision',
    approvedTerms: { outcome: 'allow' },
    phases: 'all',
    state: 'failed',
    reason: ERROR,
    rollbackReason: null,
    outcome: { duration_minutes: 1 },
    startedBy: { kind: 'system', id: 'run-executor' },
    createdAt: 0,
    startedAt: null,
    finishedAt: 60_000,
  } as unknown as EndedRun;
  const step = succeededStep({ seq: 3, phaseIndex: 1, batchIndex: 2, stepId: 'deploy', resolvedAs: 'happened' });
  const health: HealthResult = {
    phaseIndex: 1,
    batchIndex: 2,
    healthRound: 1,
    metrics: { 'web.errors': 0 },
    condition: 'web.errors > 0',
    verdict: 'healthy',
    explanation: 'Not kept.',
    evaluatedAt: 1_000,
  };

  it('has the bound records, its end, its steps and its health', () => {
    expect(runDocument(run, [step], [health])).toStrictEqual({
      id: 'run',
      task_id: 'task',
      plan_id: 'plan',
      plan_digest: 'sha256:2',
      environment_id: 'environment',
      approval_request_id: 'request',
      simulation_id: null,
      decision_id: 'decision',
      approved_terms: { outcome: 'allow' },
      phases: 'all',
      state: 'failed',
      reason: ERROR,
      rollback_reason: null,
      outcome: { duration_minutes: 1 },
      started_by: { kind: 'system', id: 'run-executor' },
      created_at: '1970-01-01T00:00:00.000Z',
      started_at: null,
      finished_at: '1970-01-01T00:01:00.000Z',
      steps: [
        {
          id: step.id,
          kind: 'call',
          seq: 3,
          phase_index: 1,
          batch_index: 2,
          step_id: 'deploy',
          health_round: 0,
          tool: 'deploy@2',
          state: 'succeeded',
          attempts: 1,
          compensations: 0,
          resolved_as: 'happened',
          error: null,
        },
      ],
      health: [
        {
          phase_index: 1,
          batch_index: 2,
          health_round: 1,
          metrics: { 'web.errors': 0 },
          condition: 'web.errors > 0',
          verdict: 'healthy',
          evaluated_at: '1970-01-01T00:00:01.000Z',
        },
      ],
    });
  });

  it('names the incident that it rests on, and the error of a step', () => {
    // The document reads these members alone. The others of a failed step and of an ended run are those of a completed
    // one.
    const failed = { ...step, state: 'failed', error: ERROR } as unknown as typeof step;
    const byBreakGlass = { ...run, authority: { kind: 'break_glass', incidentId: 'incident' } };
    const document = runDocument(byBreakGlass as unknown as EndedRun, [failed], []);
    expect(document).toMatchObject({
      approval_request_id: null,
      incident_id: 'incident',
      steps: [{ error: ERROR }],
      health: [],
    });
  });
});
