import type { JsonObject } from '#lib/canonical';
import type { DispatchOutcome } from '#lib/dispatch';
import { digestOf, FailureError, maskSecrets, type RunId, type TenantId, type Tx, type UnitOfWork } from '#lib/kernel';
import type { Run, RunStep } from '../domain/run.js';
import { attemptDocument } from '../domain/evidence-documents.js';
import { isFinished } from '../domain/run-transitions.js';
import { answered } from '../domain/step-changes.js';
import { type Sent, stepFacts } from './dispatch-step.js';
import type { RunJournal } from './run-journal.js';
import type { AttemptResult, RunRepository } from './run.repository.js';

/**
 * Writes what came of a dispatch. Only where the step is still out under the same fence; an answer that comes later is
 * kept as evidence of its attempt and decides nothing.
 */
export class RecordAnswer {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly runs: RunRepository,
    private readonly journal: RunJournal,
  ) {}

  async execute(tenantId: TenantId, sent: Sent, answer: DispatchOutcome): Promise<void> {
    const outcome = masked(answer);
    await this.uow.run(tenantId, async (tx) => {
      const run = await this.runs.lock(tx, sent.order.runId as RunId);
      if (run === null) throw new Error(`run ${String(sent.order.runId)} is gone while a call of it was out`);
      const step = (await this.runs.steps(tx, run.id)).find((candidate) => candidate.id === sent.stepId);
      if (step === undefined) throw new Error(`step ${sent.stepId} is gone while it was out`);
      const now = await tx.now();
      if (step.fence === sent.fence && step.leaseUntil !== null) await this.#write(tx, run, step, sent, outcome, now);
      else await this.#keepLate(tx, run, step, sent, outcome, now);
    });
  }

  async #write(tx: Tx, run: Run, step: RunStep, sent: Sent, outcome: DispatchOutcome, now: number): Promise<void> {
    const next = answered(step, outcome, now);
    if (!next.ok) throw new FailureError(next.error);
    await this.runs.saveStep(tx, next.value);
    await this.runs.finishAttempt(tx, sent.attemptId, resultOf(outcome, now));
    const attempt = await this.runs.findAttempt(tx, sent.attemptId);
    if (attempt === null) throw new Error(`attempt ${sent.attemptId} is gone while it was out`);
    const recorded = await this.journal.recordOwn(tx, run, {
      type: `run.${sent.purpose === 'call' ? 'step' : 'compensation'}_${outcome.kind === 'unknown' ? 'unknown' : outcome.kind}`,
      data: {
        ...stepFacts(next.value),
        attempt: sent.order.attempt,
        state: next.value.state,
        ...outcomeFacts(outcome),
      },
      at: now,
      evidence: [{ kind: 'attempt', id: attempt.id, digest: digestOf('attempt', attemptDocument(attempt)) }],
    });
    await this.runs.save(tx, { ...recorded, nextAt: now, updatedAt: now });
  }

  async #keepLate(tx: Tx, run: Run, step: RunStep, sent: Sent, outcome: DispatchOutcome, now: number): Promise<void> {
    await this.runs.keepLate(tx, sent.attemptId, { kind: outcome.kind, ...outcomeFacts(outcome) }, now);
    const recorded = await this.journal.recordOwn(tx, run, {
      type: 'run.late_answer',
      data: { ...stepFacts(step), attempt: sent.order.attempt, purpose: sent.purpose, ...outcomeFacts(outcome) },
      at: now,
    });
    await this.runs.save(tx, isFinished(run.state) ? recorded : { ...recorded, updatedAt: now });
  }
}

/** Whatever a tool answers is shown and kept; a secret in it is not (T32). */
function masked(outcome: DispatchOutcome): DispatchOutcome {
  if (outcome.kind === 'succeeded') return { ...outcome, result: maskSecrets(outcome.result) };
  const message = maskSecrets(outcome.error.message);
  return { ...outcome, error: { code: outcome.error.code, message: typeof message === 'string' ? message : '' } };
}

function resultOf(outcome: DispatchOutcome, finishedAt: number): AttemptResult {
  const error = outcome.kind === 'succeeded' ? null : outcome.error;
  return {
    finishedAt,
    outcome: outcome.kind,
    effect: outcome.kind === 'failed' ? outcome.effect : null,
    result: outcome.kind === 'succeeded' ? outcome.result : null,
    error,
  };
}

const outcomeFacts = (outcome: DispatchOutcome): JsonObject =>
  outcome.kind === 'succeeded'
    ? { outcome: 'succeeded', result: outcome.result }
    : {
        outcome: outcome.kind,
        error: { ...outcome.error },
        ...(outcome.kind === 'failed' ? { effect: outcome.effect } : {}),
      };
