import type { JsonObject } from '#lib/canonical';
import type { DispatchOutcome, ToolDispatcher } from '#lib/dispatch';
import { type DecisionId, type EvidenceRef, type RunId, type TenantId, type Tx, type UnitOfWork } from '#lib/kernel';
import type { PlanRepository } from '#lib/plan';
import { attemptEvidence } from '../domain/evidence-documents.js';
import { buildRunView, buildViewAhead } from '../domain/build-run-view.js';
import { nextAction, type NextAction } from '../domain/next-action.js';
import { type Ending, paused, resumed, rollingBack } from '../domain/run-changes.js';
import { type FinishedRunState, isFinished } from '../domain/run-transitions.js';
import {
  type ActiveRun,
  type ExecutingRun,
  isEnded,
  type LiveRun,
  type PausedRun,
  requireState,
  type Run,
  type RunReason,
} from '../domain/run.js';
import {
  isOut,
  type OutStep,
  purposeOf,
  requireStepState,
  type RunStep,
  type SendableStep,
  type StepIn,
} from '../domain/run-step.js';
import { givenUpAttempt, isFinishedAttempt } from '../domain/step-attempt.js';
import { givenUp, retried, WORKER_LOST } from '../domain/step-changes.js';
import { pauseReason, stepFacts, stepFailed, TIME_LIMIT } from '../domain/step-reasons.js';
import type { DispatchStep, Sent } from './dispatch-step.js';
import type { EvaluateHealth } from './evaluate-health.js';
import type { LockRunContext } from './lock-run-context.js';
import type { MoveRun } from './move-run.js';
import type { RecordAnswer } from './record-answer.js';
import type { RecoverAnswer } from './recover-answer.js';
import type { RunJournal } from './run-journal.js';
import type { Again, RunContext, RunSettings } from './run.ports.js';
import type { RunRepository } from './run.repository.js';
import type { StartQueuedRun } from './start-queued-run.js';

const NOW: Again = { when: 'now' };
const NEVER: Again = { when: 'never' };

interface Turn {
  readonly again: Again;
  readonly sent: Sent | null;
  readonly mayHaveEnded?: boolean;
}

/** The actions that may end a run. */
const ENDING: ReadonlySet<NextAction['do']> = new Set(['start', 'take_request', 'complete', 'finish_rollback']);
/** The actions that send a call. */
const SENDING: ReadonlySet<NextAction['do']> = new Set(['dispatch', 'redispatch', 'compensate']);

/** The actions after the lease of a call is over. */
const LOSING: ReadonlySet<NextAction['do']> = new Set(['redispatch', 'give_up']);

/** A run under its lock, with the facts that decide its turn. */
interface Locked {
  readonly run: Run;
  readonly now: number;
  /** Everything that stands before the run, if it is locked too. */
  readonly context: RunContext | null;
  /** The steps ahead under the lock; null if they are yet to be read. */
  readonly ahead: readonly RunStep[] | null;
}

interface AdvanceRunDeps {
  readonly uow: UnitOfWork;
  readonly runs: RunRepository;
  readonly plans: Pick<PlanRepository, 'find'>;
  readonly context: LockRunContext;
  readonly starting: StartQueuedRun;
  readonly dispatching: DispatchStep;
  readonly answers: RecordAnswer;
  readonly recovering: RecoverAnswer;
  readonly health: EvaluateHealth;
  readonly moves: MoveRun;
  readonly journal: RunJournal;
  readonly dispatcher: ToolDispatcher;
  readonly settings: RunSettings;
}

/**
 * Advances a run by the one thing that is next, and says when to call it again. May be called at any time, by any number of
 * workers at once and as often as they like: every turn is decided from the rows, under their locks.
 *
 * A tool is called between two transactions. The first commits the attempt as dispatched, with a number, a lease, a
 * fence and a grant; the second writes the answer, only if attempt and fence still match. A worker that dies in between leaves
 * an attempt that is out. If its executor kept the answer, it is written. Otherwise an idempotent one is sent again when its lease is over, another becomes `unknown` and waits for a
 * person (invariant 6). The second transaction may take the run's next turn, and so be the first of the next call.
 */
export class AdvanceRun {
  #listener: (state: FinishedRunState) => void = () => undefined;

  constructor(private readonly deps: AdvanceRunDeps) {}

  /** Is told of every run that this process brings to its end, after that is committed. */
  onEnd(listener: (state: FinishedRunState) => void): void {
    this.#listener = listener;
  }

  /** @param goesOn asked after each answer: whether the run's next turn is taken at once, with the answer. */
  async execute(tenantId: TenantId, runId: RunId, goesOn: () => boolean = () => false): Promise<Again> {
    let turn = await this.#committed(tenantId, runId, (tx) => this.#turn(tx, runId));
    while (turn.sent !== null) {
      const { sent } = turn;
      const outcome = await this.deps.dispatcher.dispatch(sent.order);
      // Its report ends the wait sooner.
      if (outcome.kind === 'offered') return { when: 'at', at: sent.leaseUntil };
      if (!goesOn()) {
        await this.deps.answers.execute(tenantId, sent, outcome);
        return NOW;
      }
      turn = await this.#answerAndGoOn(tenantId, runId, sent, outcome);
    }
    return turn.again;
  }

  async #committed(tenantId: TenantId, runId: RunId, work: (tx: Tx) => Promise<Turn>): Promise<Turn> {
    const { ended, ...turn } = await this.deps.uow.run(tenantId, async (tx) => {
      const taken = await work(tx);
      return { ...taken, ended: taken.mayHaveEnded === true ? await this.#endOf(tx, runId) : null };
    });
    if (ended === null) return turn;
    this.#listener(ended);
    return { ...turn, again: NEVER };
  }

  async #endOf(tx: Tx, runId: RunId): Promise<FinishedRunState | null> {
    const state = (await this.deps.runs.find(tx, runId))?.state;
    return state !== undefined && isFinished(state) ? state : null;
  }

  /** The answer is written with the next turn. If that transaction fails, the answer is written by itself. */
  async #answerAndGoOn(tenantId: TenantId, runId: RunId, sent: Sent, outcome: DispatchOutcome): Promise<Turn> {
    try {
      return await this.#committed(tenantId, runId, async (tx) => {
        const locked = await this.deps.context.toAdvance(tx, sent.run);
        const { run, step } = await this.deps.answers.take(tx, locked.run, sent, {
          outcome,
          now: locked.now,
          read: locked,
        });
        const ahead = locked.ahead.map((each) => (each.id === step.id ? step : each));
        return this.#decided(tx, { ...locked, run, ahead });
      });
    } catch {
      // The next turn meets the same error and reports it.
      await this.deps.answers.execute(tenantId, sent, outcome);
      return { again: NOW, sent: null };
    }
  }

  async #turn(tx: Tx, runId: RunId): Promise<Turn> {
    const found = await this.deps.runs.find(tx, runId);
    if (found === null || isFinished(found.state)) return { again: NEVER, sent: null };
    // Rows read without a lock say only which locks to take: fewer if no call is sent and no run starts or ends.
    if (needsContext(await this.#next(tx, found, await tx.now()), found)) {
      return this.#decided(tx, await this.deps.context.toAdvance(tx, found));
    }
    const [run, now] = await Promise.all([this.deps.runs.lockToAdvance(tx, runId), tx.now()]);
    return run === null ? { again: NEVER, sent: null } : this.#decided(tx, { run, now, context: null, ahead: null });
  }

  async #next(tx: Tx, run: Run, now: number, known?: Pick<Locked, 'context' | 'ahead'>): Promise<Next> {
    const plan = known?.context?.subject.plan.expanded ?? (await this.deps.plans.find(tx, run.planId))?.expansion?.plan;
    if (plan === undefined) throw new Error(`the plan of run ${run.id} is gone`);
    if (run.state === 'executing' || run.state === 'queued') {
      // No step of a queued run was ever out, so its steps say nothing.
      const ahead = run.state === 'queued' ? [] : (known?.ahead ?? (await this.deps.runs.stepsAhead(tx, run.id)));
      return { steps: ahead, action: nextAction(buildViewAhead(run, plan, ahead, this.deps.settings.waitScale), now) };
    }
    const [steps, health] = [await this.deps.runs.steps(tx, run.id), await this.deps.runs.healthResults(tx, run.id)];
    return { steps, action: nextAction(buildRunView(run, plan, steps, health, this.deps.settings.waitScale), now) };
  }

  /** Decides under the run's lock, and does it; or leaves it to another turn if that takes locks that were not taken. */
  async #decided(tx: Tx, { run, now, context, ahead }: Locked): Promise<Turn> {
    if (isEnded(run)) {
      await this.deps.runs.save(tx, run);
      return { again: NEVER, sent: null };
    }
    const next = await this.#next(tx, run, now, { context, ahead });
    if (context === null && needsContext(next, run)) return { again: NOW, sent: null };
    const { action, steps } = next;
    const turn = await this.#take(tx, run, context, action, {
      now,
      step: 'stepId' in action ? stepOf(steps, action.stepId) : null,
    });
    return { ...turn, mayHaveEnded: ENDING.has(action.do) };
  }

  async #take(
    tx: Tx,
    run: LiveRun,
    context: RunContext | null,
    action: NextAction,
    { now, step }: { readonly now: number; readonly step: RunStep | null },
  ): Promise<Turn> {
    switch (action.do) {
      case 'nothing':
        await this.deps.runs.save(tx, { ...requireState(run, 'paused'), nextAt: null });
        return { again: NEVER, sent: null };
      case 'wait':
        return this.#wait(tx, run, action, now);
      case 'start':
        return { again: await this.#start(tx, run, context, now), sent: null };
      case 'take_request':
        await this.#takeRequest(tx, run, context, now);
        break;
      case 'evaluate_health':
        await this.#evaluate(tx, requireState(run, 'executing'), action, now);
        break;
      case 'resume_after_freeze':
        await this.#resume(tx, requireState(run, 'paused'), now);
        break;
      case 'time_limit':
        await this.#pause(tx, requireState(run, 'executing'), TIME_LIMIT, now);
        break;
      case 'complete':
        await this.#end(tx, { event: 'complete', run: requireState(run, 'executing') }, context, now);
        break;
      case 'finish_rollback': {
        const event = action.failed ? 'fail_rollback' : 'finish_rollback';
        await this.#end(tx, { event, run: requireState(run, 'rolling_back') }, context, now);
        break;
      }
      default:
        return this.#takeStep(tx, run, context, action, requireStep(step), now);
    }
    return { again: NOW, sent: null };
  }

  async #takeStep(
    tx: Tx,
    run: LiveRun,
    context: RunContext | null,
    action: Extract<NextAction, { readonly stepId: string }>,
    step: RunStep,
    now: number,
  ): Promise<Turn> {
    if (isOut(step) && LOSING.has(action.do)) {
      const again = await this.deps.recovering.execute(tx, run, step, now);
      if (again !== null) return { again, sent: null };
    }
    switch (action.do) {
      case 'dispatch':
        return this.#send(tx, active(run), requireContext(context), requireStepState(step, 'pending'), now);
      case 'compensate':
        return this.#send(tx, active(run), requireContext(context), requireStepState(step, 'succeeded'), now);
      case 'redispatch': {
        const lost = requireStepState(step, 'dispatched', 'compensating');
        const again = isOut(lost)
          ? await this.#loseWorker(tx, active(run), lost, now)
          : await this.#retried(tx, active(run), lost, now);
        return this.#send(tx, again, requireContext(context), lost, now);
      }
      case 'give_up':
        await this.#giveUp(tx, await this.#loseWorker(tx, run, requireOut(step), now), requireOut(step), now);
        break;
      case 'retry':
        await this.deps.runs.saveStep(
          tx,
          retried(requireStepState(step, 'failed'), now, this.deps.settings.runnerPausesMs),
        );
        await this.#retried(tx, run, step, now);
        break;
      case 'begin_rollback':
        await this.#rollBack(tx, requireState(run, 'executing'), stepFailed(step), now);
        break;
      case 'pause':
        await this.#pause(tx, active(run), pauseReason(action.code, step), now);
        break;
    }
    return { again: NOW, sent: null };
  }

  #start(tx: Tx, run: LiveRun, context: RunContext | null, now: number): Promise<Again> {
    return this.deps.starting.execute(tx, requireState(run, 'queued'), requireContext(context), now);
  }

  async #pause(tx: Tx, run: ActiveRun, reason: RunReason, now: number, decisionId?: DecisionId): Promise<void> {
    const decided = decisionId === undefined ? {} : { decisionId };
    await this.deps.moves.execute(tx, 'pause', paused(run, reason, now), { at: now, ...decided });
  }

  /** A rollback that a freeze stopped goes on as a rollback. */
  async #resume(tx: Tx, run: PausedRun, now: number): Promise<void> {
    if (run.rollbackReason !== null) await this.#rollBack(tx, run, run.rollbackReason, now);
    else await this.deps.moves.execute(tx, 'resume', resumed(run, now), { at: now });
  }

  async #rollBack(tx: Tx, run: ExecutingRun | PausedRun, reason: RunReason, now: number): Promise<void> {
    await this.deps.moves.execute(tx, 'roll_back', rollingBack(run, reason, now), { at: now });
  }

  #end(tx: Tx, ending: Ending, context: RunContext | null, now: number): Promise<void> {
    return this.deps.moves.end(tx, ending, requireContext(context), { at: now });
  }

  /** Commits the call as dispatched, or pauses the run if the call may not leave. */
  async #send(tx: Tx, run: ActiveRun, context: RunContext, step: SendableStep, now: number): Promise<Turn> {
    const dispatch = await this.deps.dispatching.execute(tx, run, context, step, now);
    if (dispatch.kind === 'sent') {
      await this.deps.runs.save(tx, dispatch.sent.run);
      return { again: NOW, sent: dispatch.sent };
    }
    const idle = isOut(step) ? await this.#giveUp(tx, run, step, now) : run;
    await this.#pause(tx, idle, dispatch.reason, now, dispatch.decision?.id);
    return { again: NOW, sent: null };
  }

  async #wait(tx: Tx, run: LiveRun, wait: Extract<NextAction, { do: 'wait' }>, now: number): Promise<Turn> {
    const announced = wait.for === 'batch' ? await this.#announce(tx, requireState(run, 'executing'), wait, now) : run;
    const at = run.pauseBy !== null && run.pauseBy > now ? Math.min(wait.until, run.pauseBy) : wait.until;
    await this.deps.runs.save(tx, { ...announced, nextAt: at });
    return { again: { when: 'at', at }, sent: null };
  }

  /** Records the wait after a batch, once. */
  async #announce(
    tx: Tx,
    run: ExecutingRun,
    { until, batch }: Extract<NextAction, { for: 'batch' }>,
    now: number,
  ): Promise<ExecutingRun> {
    if (run.waitUntil === until) return run;
    return this.deps.journal.recordOwn(
      tx,
      { ...run, waitUntil: until },
      {
        type: 'run.waiting',
        data: {
          phase_index: batch.phaseIndex,
          batch_index: batch.batchIndex,
          until: new Date(until).toISOString(),
          wait_ms: batch.waitMs,
          ...(this.deps.settings.waitScale === 1
            ? {}
            : { shortened_for_demonstration_by: this.deps.settings.waitScale }),
        },
        at: now,
      },
    );
  }

  async #takeRequest(tx: Tx, run: LiveRun, context: RunContext | null, now: number): Promise<void> {
    if (run.requested === null) throw new Error(`run ${run.id} has no request`);
    const { reason } = run.requestedBy;
    switch (run.requested) {
      case 'pause':
        return this.#pause(tx, active(run), reason, now);
      case 'roll_back':
        return this.#rollBack(tx, requireState(run, 'executing', 'paused'), reason, now);
      case 'cancel': {
        const cancelled = requireState(run, 'queued', 'executing', 'paused');
        return this.#end(tx, { event: 'cancel', run: cancelled, reason }, context, now);
      }
    }
  }

  async #evaluate(
    tx: Tx,
    run: ExecutingRun,
    { batch }: Extract<NextAction, { do: 'evaluate_health' }>,
    now: number,
  ): Promise<void> {
    const result = await this.deps.health.execute(tx, run, batch, now);
    const facts: JsonObject = {
      phase_index: batch.phaseIndex,
      batch_index: batch.batchIndex,
      verdict: result.verdict,
      condition: result.condition,
      metrics: { ...result.metrics },
      explanation: result.explanation,
    };
    const judged = await this.#happened(tx, run, 'run.health_evaluated', facts, now);
    const reason = (code: string): RunReason => ({ code, message: result.explanation, details: facts });
    if (result.verdict === 'unclear') await this.#pause(tx, judged, reason('run.health_unclear'), now);
    if (result.verdict === 'roll_back') await this.#rollBack(tx, judged, reason('run.rollback_condition_met'), now);
  }

  /** Closes the dispatched attempt. Its effect cannot be known. */
  async #loseWorker<R extends LiveRun>(
    tx: Tx,
    run: R,
    step: StepIn<'dispatched' | 'compensating'>,
    now: number,
  ): Promise<R> {
    const attempt = await this.deps.runs.latestAttempt(tx, step.id, purposeOf(step));
    const given =
      attempt === null || isFinishedAttempt(attempt)
        ? null
        : await this.deps.runs.finishAttempt(tx, attempt, givenUpAttempt(WORKER_LOST, now));
    const evidence = given === null ? [] : [attemptEvidence(given)];
    const facts = { ...stepFacts(step), attempt: attempt?.number ?? null };
    return this.#happened(tx, run, 'run.worker_lost', facts, now, evidence);
  }

  #retried<R extends LiveRun>(tx: Tx, run: R, step: RunStep, now: number): Promise<R> {
    return this.#happened(tx, run, 'run.step_retried', { ...stepFacts(step), failures: step.failures }, now);
  }

  async #giveUp<R extends LiveRun>(tx: Tx, run: R, step: OutStep, now: number): Promise<R> {
    const given = givenUp(step, now);
    await this.deps.runs.saveStep(tx, given);
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
    const recorded = await this.deps.journal.recordOwn(tx, run, { type, data, at, evidence });
    const next = { ...recorded, nextAt: at, updatedAt: at };
    await this.deps.runs.save(tx, next);
    return next;
  }
}

/** The one thing to do next, and the steps it was decided from. */
interface Next {
  readonly action: NextAction;
  readonly steps: readonly RunStep[];
}

/** A start, a call and an end are decided with all records locked that stand before the run. */
const needsContext = ({ action }: Next, run: Run): boolean =>
  SENDING.has(action.do) || (ENDING.has(action.do) && !(action.do === 'take_request' && run.requested !== 'cancel'));

function requireContext(context: RunContext | null): RunContext {
  if (context === null) throw new Error('nothing is locked that stands before the run');
  return context;
}

const active = (run: LiveRun): ActiveRun => requireState(run, 'executing', 'rolling_back');

const stepOf = (steps: readonly RunStep[], id: string): RunStep | null => steps.find((step) => step.id === id) ?? null;

function requireStep(step: RunStep | null): RunStep {
  if (step === null) throw new Error('the step that was decided on is not among the steps of its run');
  return step;
}

function requireOut(step: RunStep): OutStep {
  if (isOut(step)) return step;
  throw new Error(`step ${step.id} has no call out, and was decided on as if it had`);
}
