import type { JsonObject } from '#lib/canonical';
import type { DispatchOutcome } from '#lib/dispatch';
import {
  actorOf,
  type AttemptId,
  digestOf,
  FailureError,
  maskSecrets,
  type Principal,
  type TenantId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import type { Run, RunStep, StepAttempt } from '../domain/run.js';
import { attemptDocument } from '../domain/evidence-documents.js';
import { isFinished } from '../domain/run-transitions.js';
import { answered, RESTORED, WORKER_LOST } from '../domain/step-changes.js';
import { type Sent, stepFacts } from './dispatch-step.js';
import { type RunJournal, runExecutor } from './run-journal.js';
import type { AttemptResult, RunRepository } from './run.repository.js';

/** An attempt that is out, or was. */
export interface OutAttempt {
  readonly attemptId: AttemptId;
  readonly fence: number;
  readonly purpose: StepAttempt['purpose'];
  readonly number: number;
}

/** An answer to an attempt, by whom and when. */
interface Answer {
  readonly outcome: DispatchOutcome;
  readonly by: Principal;
  readonly now: number;
}

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
    await this.uow.run(tenantId, async (tx) => {
      const run = await this.runs.lock(tx, sent.run.id);
      if (run === null) throw new Error(`run ${sent.run.id} is gone while a call of it was out`);
      await this.runs.save(tx, await this.take(tx, run, sent, answer, await tx.now()));
    });
  }

  /** The same under the run's lock. @returns the run as it has to be saved. */
  async take(tx: Tx, run: Run, sent: Sent, answer: DispatchOutcome, now: number): Promise<Run> {
    const step = await this.runs.findStep(tx, sent.stepId);
    if (step === null) throw new Error(`step ${sent.stepId} is gone while it was out`);
    const out = { ...sent, number: sent.order.attempt };
    const given = { outcome: answer, by: runExecutor(tx.tenantId), now };
    if (isOut(step, sent.fence)) return this.write(tx, run, step, out, given);
    const attempt = await this.runs.findAttempt(tx, sent.attemptId);
    // Written before, by a transaction whose commit was not heard of.
    return attempt !== null && wasAnswered(attempt) ? run : this.keepLate(tx, run, step, out, given);
  }

  /** The answer to an attempt that is out, under the run's lock. @returns the run as it has to be saved. */
  async write(tx: Tx, run: Run, step: RunStep, out: OutAttempt, { outcome, by, now }: Answer): Promise<Run> {
    const answer = masked(outcome);
    const next = answered(step, answer, now);
    if (!next.ok) throw new FailureError(next.error);
    await this.runs.saveStep(tx, next.value);
    const attempt = await this.runs.finishAttempt(tx, out.attemptId, resultOf(answer, now));
    if (attempt === null) throw new Error(`attempt ${out.attemptId} is gone while it was out`);
    const recorded = await this.journal.record(tx, run, {
      type: `run.${out.purpose === 'call' ? 'step' : 'compensation'}_${answer.kind}`,
      actor: actorOf(by),
      data: {
        ...stepFacts(next.value),
        attempt: out.number,
        state: next.value.state,
        ...unverified(attempt),
        ...outcomeFacts(answer),
      },
      at: now,
      evidence: [{ kind: 'attempt', id: attempt.id, digest: digestOf('attempt', attemptDocument(attempt)) }],
    });
    return { ...recorded, nextAt: now, updatedAt: now };
  }

  /** An answer that came after its attempt was given up, or its time was over. @returns the run as it has to be saved. */
  async keepLate(tx: Tx, run: Run, step: RunStep, out: OutAttempt, { outcome, by, now }: Answer): Promise<Run> {
    const answer = masked(outcome);
    await this.runs.keepLate(tx, out.attemptId, { kind: answer.kind, ...outcomeFacts(answer) }, now);
    const recorded = await this.journal.record(tx, run, {
      type: 'run.late_answer',
      actor: actorOf(by),
      data: { ...stepFacts(step), attempt: out.number, purpose: out.purpose, ...outcomeFacts(answer) },
      at: now,
    });
    return isFinished(run.state) ? recorded : { ...recorded, updatedAt: now };
  }
}

/** Whether the step is out under this fence, so that an answer to it counts. */
export const isOut = (step: RunStep, fence: number): boolean => step.fence === fence && step.leaseUntil !== null;

/** Whether somebody answered it, rather than that it was given up. */
export const wasAnswered = ({ outcome, error }: StepAttempt): boolean =>
  outcome !== null && error?.code !== WORKER_LOST.code && error?.code !== RESTORED.code;

const unverified = ({ agentId }: StepAttempt): JsonObject => (agentId === null ? {} : { unverified: true });

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
