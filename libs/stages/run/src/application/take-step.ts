import type { JsonObject } from '#lib/canonical';
import type { EvidenceRef, Tx } from '#lib/kernel';
import { attemptEvidence } from '../domain/evidence-documents.js';
import type { NextAction } from '../domain/next-action.js';
import { paused, rollingBack } from '../domain/run-changes.js';
import { type ActiveRun, type LiveRun, requireState } from '../domain/run.js';
import {
  isInFlight,
  type InFlightStep,
  purposeOf,
  requireStepState,
  type RunStep,
  type SendableStep,
  type StepIn,
} from '../domain/run-step.js';
import { givenUpAttempt, isFinishedAttempt } from '../domain/step-attempt.js';
import { givenUp, retried, WORKER_LOST } from '../domain/step-changes.js';
import { pauseReason, stepFacts, stepFailed } from '../domain/step-reasons.js';
import type { DispatchStep } from './dispatch-step.js';
import type { MoveRun } from './move-run.js';
import type { RecoverAnswer } from './recover-answer.js';
import type { RunJournal } from './run-journal.js';
import { requireContext, type RunContext, type RunSettings } from './run.ports.js';
import type { RunRepository } from './run.repository.js';
import { AT_ONCE, type Turn } from './turn.js';

/** An action about one step of a run, under the run's lock. */
export interface StepTurn {
  readonly run: LiveRun;
  readonly step: RunStep;
  /** Null if the action needs none. */
  readonly context: RunContext | null;
  readonly now: number;
}

/** Takes the actions about one step. It sends its call, puts it back, gives it up, or stops the run because of it. */
export class TakeStep {
  constructor(
    private readonly runs: RunRepository,
    private readonly dispatching: DispatchStep,
    private readonly recovering: RecoverAnswer,
    private readonly moves: MoveRun,
    private readonly journal: RunJournal,
    private readonly settings: Pick<RunSettings, 'offerPausesMs'>,
  ) {}

  async execute(
    tx: Tx,
    action: Extract<NextAction, { readonly stepId: string }>,
    { run, step, context, now }: StepTurn,
  ): Promise<Turn> {
    // The lease of its call is over: nothing else is decided about a step that is in flight.
    if (isInFlight(step)) {
      const again = await this.recovering.execute(tx, run, step, now);
      if (again !== null) return { kind: 'again', again };
    }
    switch (action.do) {
      case 'dispatch':
        return this.#send(tx, active(run), requireContext(context), requireStepState(step, 'pending'), now);
      case 'compensate':
        return this.#send(tx, active(run), requireContext(context), requireStepState(step, 'succeeded'), now);
      case 'redispatch': {
        const lost = requireStepState(step, 'dispatched', 'compensating');
        const again = isInFlight(lost)
          ? await this.#loseWorker(tx, active(run), lost, now)
          : await this.#retried(tx, active(run), lost, now);
        return this.#send(tx, again, requireContext(context), lost, now);
      }
      case 'give_up': {
        const lost = requireInFlight(step);
        const idle = await this.#giveUp(tx, await this.#loseWorker(tx, run, lost, now), lost, now);
        await this.runs.save(tx, idle);
        break;
      }
      case 'retry':
        await this.runs.saveStep(tx, retried(requireStepState(step, 'failed'), now, this.settings.offerPausesMs));
        await this.runs.save(tx, await this.#retried(tx, run, step, now));
        break;
      case 'begin_rollback': {
        const back = rollingBack(requireState(run, 'executing'), stepFailed(step), now);
        await this.moves.execute(tx, 'roll_back', back, { at: now });
        break;
      }
      case 'pause':
        await this.moves.execute(tx, 'pause', paused(active(run), pauseReason(action.code, step), now), { at: now });
    }
    return AT_ONCE;
  }

  /** Commits the call as dispatched, or pauses the run if the call may not leave. */
  async #send(tx: Tx, run: ActiveRun, context: RunContext, step: SendableStep, now: number): Promise<Turn> {
    const dispatch = await this.dispatching.execute(tx, run, context, step, now);
    if (dispatch.kind === 'sent') {
      await this.runs.save(tx, dispatch.sent.run);
      return dispatch;
    }
    const idle = isInFlight(step) ? await this.#giveUp(tx, run, step, now) : run;
    const decided = dispatch.decision === null ? {} : { decisionId: dispatch.decision.id };
    await this.moves.execute(tx, 'pause', paused(idle, dispatch.reason, now), { at: now, ...decided });
    return AT_ONCE;
  }

  /** Closes the dispatched attempt. Its effect cannot be known. @returns the run, which has yet to be saved. */
  async #loseWorker<R extends LiveRun>(
    tx: Tx,
    run: R,
    step: StepIn<'dispatched' | 'compensating'>,
    now: number,
  ): Promise<R> {
    const attempt = await this.runs.latestAttempt(tx, step.id, purposeOf(step));
    const given =
      attempt === null || isFinishedAttempt(attempt)
        ? null
        : await this.runs.finishAttempt(tx, attempt, givenUpAttempt(WORKER_LOST, now));
    const evidence = given === null ? [] : [attemptEvidence(given)];
    const facts = { ...stepFacts(step), attempt: attempt?.number ?? null };
    return this.#happened(tx, run, 'run.worker_lost', facts, now, evidence);
  }

  #retried<R extends LiveRun>(tx: Tx, run: R, step: RunStep, now: number): Promise<R> {
    return this.#happened(tx, run, 'run.step_retried', { ...stepFacts(step), failures: step.failures }, now);
  }

  /** @returns the run, which has yet to be saved. */
  async #giveUp<R extends LiveRun>(tx: Tx, run: R, step: InFlightStep, now: number): Promise<R> {
    const given = givenUp(step, now);
    await this.runs.saveStep(tx, given);
    return this.#happened(tx, run, 'run.step_given_up', { ...stepFacts(step), state: given.state }, now);
  }

  async #happened<R extends LiveRun>(
    tx: Tx,
    run: R,
    type: `run.${string}`,
    data: JsonObject,
    at: number,
    evidence: readonly EvidenceRef[] = [],
  ): Promise<R> {
    const recorded = await this.journal.recordOwn(tx, run, { type, data, at, evidence });
    return { ...recorded, nextAt: at, updatedAt: at };
  }
}

const active = (run: LiveRun): ActiveRun => requireState(run, 'executing', 'rolling_back');

function requireInFlight(step: RunStep): InFlightStep {
  if (isInFlight(step)) return step;
  throw new Error(`step ${step.id} has no call in flight, and was decided on as if it had`);
}
