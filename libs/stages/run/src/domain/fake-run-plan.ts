import type { ExpandedCall, ExpandedInvocation, ExpandedPhase, ExpandedPlan } from '#lib/formats';
import { fakeExpandedPhase } from '../../../../foundation/formats/src/fake-expanded-phase.js';
import type { RunStepId } from './ids.js';
import { newId, type RunId } from '#lib/kernel';
import type { DispatchedStep, StepFacts, SucceededStep } from './run-step.js';

const DIGEST = `sha256:${'0'.repeat(64)}`;

/** An invocation of a tool at a version. */
export const invocation = (tool: string, targets: readonly string[], version = 1): ExpandedInvocation => ({
  tool: { name: tool, version, digest: DIGEST },
  executor: { name: 'fleet', digest: DIGEST },
  arguments: {},
  arguments_digest: DIGEST,
  targets: [...targets],
});

/** A call with its number in the plan. */
export const call = (seq: number, targets: readonly string[], more: Partial<ExpandedCall> = {}): ExpandedCall => ({
  seq,
  step_id: `step ${String(seq)}`,
  invocation: invocation('deploy', targets),
  on_failure: 'pause',
  compensate_with: null,
  ...more,
});

/** A phase of batches, each with its calls and the names of its health checks. */
export const phase = (
  index: number,
  batches: readonly { readonly calls: readonly ExpandedCall[]; readonly checks?: readonly string[] }[],
  more: Partial<ExpandedPhase> = {},
): ExpandedPhase =>
  fakeExpandedPhase({
    index,
    name: `phase ${String(index)}`,
    batches: batches.map(({ calls, checks = [] }, batch) => ({
      index: batch,
      targets: [],
      calls: [...calls],
      health_checks: checks.map((name) => ({ name, invocation: invocation(`check ${name}`, []) })),
    })),
    ...more,
  });

export const planOf = (...phases: readonly ExpandedPhase[]): ExpandedPlan => ({
  format: 'countersign.plan/v1',
  task_id: 'task',
  revision: 1,
  environment: { id: 'environment', name: 'production', digest: DIGEST },
  distinct_targets: [],
  phases: [...phases],
});

const stepFacts = (more: Partial<StepFacts> = {}): StepFacts => ({
  id: newId<RunStepId>(),
  runId: newId<RunId>(),
  position: 1,
  kind: 'call',
  phaseIndex: 0,
  batchIndex: 0,
  seq: 1,
  stepId: 'step 1',
  healthRound: 0,
  toolName: 'deploy',
  toolVersion: 2,
  idempotent: false,
  changes: true,
  onFailure: 'pause',
  compensationIdempotent: null,
  attempts: 1,
  compensations: 0,
  failures: 0,
  fence: 1,
  resolvedAs: null,
  ...more,
});

export const succeededStep = (more: Partial<StepFacts> = {}): SucceededStep => ({
  ...stepFacts(more),
  state: 'succeeded',
  leaseUntil: null,
  retryAt: null,
  unknownOf: null,
  error: null,
  finishedAt: 1_000,
});

export const dispatchedStep = (more: Partial<StepFacts> = {}): DispatchedStep => ({
  ...stepFacts(more),
  state: 'dispatched',
  leaseUntil: 10_000,
  retryAt: null,
  unknownOf: null,
  error: null,
  finishedAt: null,
});
