import { canonicalJson, type JsonObject } from '#lib/canonical';
import { NOT_TAKEN, type DispatchOutcome } from '#lib/dispatch';
import { actorOf, maskSecrets, type Principal, type TenantId, type Tx, type UnitOfWork } from '#lib/kernel';
import { attemptEvidence } from '../domain/evidence-documents.js';
import { isEnded, type LiveRun, type Run } from '../domain/run.js';
import { isInFlight, type InFlightStep, type RunStep } from '../domain/run-step.js';
import {
  type AttemptResult,
  isFinishedAttempt,
  type InFlightAttempt,
  type StepAttempt,
} from '../domain/step-attempt.js';
import { answered, RESTORED, WORKER_LOST } from '../domain/step-changes.js';
import { stepFacts } from '../domain/step-reasons.js';
import type { Sent } from './dispatch-step.js';
import type { LockedRun } from './lock-run-context.js';
import { type RunJournal, runExecutor } from './run-journal.js';
import type { RunRepository } from './run.repository.js';

/** The steps and attempts that the holder of a run's lock has read. */
type Read = Pick<LockedRun, 'ahead' | 'inFlight'>;

const NOTHING_READ: Read = { ahead: [], inFlight: [] };

/** An answer that is taken under the run's lock. */
interface Taken {
  readonly outcome: DispatchOutcome;
  readonly now: number;
  readonly read: Read;
}

/** The run and the step after an answer. */
interface Answered<R extends Run = Run> {
  readonly run: R;
  readonly step: RunStep;
  /** False for an answer that came too late, or was written before. */
  readonly counts: boolean;
}

/** An answer to an attempt, with its actor and its time. */
interface Answer {
  readonly outcome: DispatchOutcome;
  readonly by: Principal;
  readonly now: number;
}

/**
 * Writes the answer to a dispatch, if the step is still in flight under the same fence. A later answer is kept as evidence of its
 * attempt and decides nothing.
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
      if (run === null) throw new Error(`run ${sent.run.id} is gone while a call of it was in flight`);
      const now = await tx.now();
      const taken = await this.take(tx, run, sent, { outcome: answer, now, read: NOTHING_READ });
      await this.runs.save(tx, taken.counts && !isEnded(taken.run) ? { ...taken.run, nextAt: now } : taken.run);
    });
  }

  /** The same under the run's lock, with the rows that its holder has read. @returns run and step; the run has yet to be saved. */
  async take(tx: Tx, run: Run, sent: Sent, { outcome, now, read }: Taken): Promise<Answered> {
    const step = read.ahead.find(({ id }) => id === sent.step.id) ?? (await this.runs.findStep(tx, sent.step.id));
    if (step === null) throw new Error(`step ${sent.step.id} is gone while it was in flight`);
    const attempt =
      read.inFlight.find(({ id }) => id === sent.attemptId) ?? (await this.runs.findAttempt(tx, sent.attemptId));
    if (attempt === null) throw new Error(`attempt ${sent.attemptId} is gone while it was in flight`);
    const given = { outcome, by: runExecutor(tx.tenantId), now };
    if (isInFlightUnder(step, sent.step.fence) && !isFinishedAttempt(attempt) && !isEnded(run)) {
      return this.write(tx, run, step, attempt, given);
    }
    // Another transaction has written the answer, and its commit was not heard of.
    if (wasAnswered(attempt)) return { run, step, counts: false };
    return { run: await this.keepLate(tx, run, step, attempt, given), step, counts: false };
  }

  /**
   * The answer to an attempt that is in flight, under the run's lock. @returns run and step; the run has yet to be saved, with the time
   * to look at it again.
   */
  async write(
    tx: Tx,
    run: LiveRun,
    step: InFlightStep,
    inFlight: InFlightAttempt,
    { outcome, by, now }: Answer,
  ): Promise<Answered<LiveRun>> {
    const answer = masked(outcome);
    const next = answered(step, answer, now);
    await this.runs.saveStep(tx, next);
    const attempt = await this.runs.finishAttempt(tx, inFlight, resultOf(answer, now));
    const recorded = await this.journal.record(tx, run, {
      type: `run.${inFlight.purpose === 'call' ? 'step' : 'compensation'}_${answer.kind}`,
      actor: actorOf(by),
      data: {
        ...stepFacts(next),
        attempt: inFlight.number,
        state: next.state,
        ...unverified(attempt),
        ...outcomeFacts(answer),
      },
      at: now,
      evidence: [attemptEvidence(attempt)],
    });
    return { run: { ...recorded, updatedAt: now }, step: next, counts: true };
  }

  /** Whether the attempt ended with this very answer. */
  has(attempt: StepAttempt, outcome: DispatchOutcome): boolean {
    return wasAnswered(attempt) && answerIn(attempt) === answerIn(resultOf(masked(outcome), attempt.dispatchedAt));
  }

  /** An answer that came after its attempt was given up, or its time was over. @returns the run as it has to be saved. */
  async keepLate(tx: Tx, run: Run, step: RunStep, attempt: StepAttempt, { outcome, by, now }: Answer): Promise<Run> {
    const answer = masked(outcome);
    await this.runs.keepLate(tx, attempt.id, { kind: answer.kind, ...outcomeFacts(answer) }, now);
    const recorded = await this.journal.record(tx, run, {
      type: 'run.late_answer',
      actor: actorOf(by),
      data: { ...stepFacts(step), attempt: attempt.number, purpose: attempt.purpose, ...outcomeFacts(answer) },
      at: now,
    });
    return isEnded(run) ? recorded : { ...recorded, updatedAt: now };
  }
}

/** Whether the step is in flight under this fence, so that an answer to it counts. */
export const isInFlightUnder = (step: RunStep, fence: number): step is InFlightStep =>
  step.fence === fence && isInFlight(step);

/** Whether an answer ended it; a given-up attempt has none. */
export const wasAnswered = ({ outcome, error }: StepAttempt): boolean =>
  outcome !== null && error?.code !== WORKER_LOST.code && error?.code !== RESTORED.code;

const unverified = ({ agentId }: StepAttempt): JsonObject => (agentId === null ? {} : { unverified: true });

/** A tool's answer is shown and kept; a secret in it is masked (T32). */
function masked(outcome: DispatchOutcome): DispatchOutcome {
  if (outcome.kind === 'succeeded') return { ...outcome, result: maskSecrets(outcome.result) };
  const message = maskSecrets(outcome.error.message);
  const notStarted = outcome.kind === 'failed' && outcome.effect === 'not_started';
  // No tool makes a call that it has started count as one that was not taken, and be sent again.
  const code = outcome.error.code === NOT_TAKEN && !notStarted ? 'run.misnamed_error' : outcome.error.code;
  return { ...outcome, error: { code, message: typeof message === 'string' ? message : '' } };
}

function resultOf(outcome: DispatchOutcome, finishedAt: number): AttemptResult {
  switch (outcome.kind) {
    case 'succeeded':
      return { finishedAt, outcome: 'succeeded', effect: null, result: outcome.result, error: null };
    case 'failed':
      return { finishedAt, outcome: 'failed', effect: outcome.effect, result: null, error: outcome.error };
    case 'unknown':
      return { finishedAt, outcome: 'unknown', effect: null, result: null, error: outcome.error };
  }
}

const answerIn = ({ outcome, effect, result, error }: StepAttempt | AttemptResult): string =>
  canonicalJson({ outcome, effect, result, error: error === null ? null : { ...error } });

const outcomeFacts = (outcome: DispatchOutcome): JsonObject =>
  outcome.kind === 'succeeded'
    ? { outcome: 'succeeded', result: outcome.result }
    : {
        outcome: outcome.kind,
        error: { ...outcome.error },
        ...(outcome.kind === 'failed' ? { effect: outcome.effect } : {}),
      };
