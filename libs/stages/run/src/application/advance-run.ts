import type { JsonObject } from '#lib/canonical';
import type { DispatchOutcome, ToolDispatcher } from '#lib/dispatch';
import {
  type DecisionId,
  digestOf,
  type EvidenceRef,
  FailureError,
  type RunId,
  type TenantId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import type { PlanRepository } from '#lib/plan';
import { attemptDocument } from '../domain/evidence-documents.js';
import { buildRunView, buildViewAhead } from '../domain/build-run-view.js';
import { type HoldCode, nextAction, type NextAction } from '../domain/next-action.js';
import { RUN_TIME_LIMIT_MINUTES } from '../domain/run-time-limit.js';
import { type FinishedRunState, isFinished } from '../domain/run-transitions.js';
import type { Run, RunReason, RunStep } from '../domain/run.js';
import type { RunRequest } from '../domain/run-view.js';
import { givenUp, retried, WORKER_LOST } from '../domain/step-changes.js';
import { type DispatchStep, type Sent, stepFacts } from './dispatch-step.js';
import type { EvaluateHealth } from './evaluate-health.js';
import type { LockRunContext } from './lock-run-context.js';
import type { MoveRun } from './move-run.js';
import type { RecordAnswer } from './record-answer.js';
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

/** A run under its lock, with the facts that decide its turn. */
interface Locked {
  readonly run: Run;
  readonly now: number;
  /** Everything that stands before the run, if it is locked too. */
  readonly context: RunContext | null;
  /** The steps ahead under the lock; null if they are yet to be read. */
  readonly ahead: readonly RunStep[] | null;
}

/**
 * Advances a run by the one thing that is next, and says when to call it again. May be called at any time, by any number of
 * workers at once and as often as they like: every turn is decided from the rows, under their locks.
 *
 * A tool is called between two transactions. The first commits the attempt as dispatched, with a number, a lease, a
 * fence and a grant; the second writes the answer, only if attempt and fence still match. A worker that dies in between leaves
 * an attempt that is out: an idempotent one is sent again when its lease is over, another becomes `unknown` and waits for a
 * person (invariant 6). The second transaction may take the run's next turn, and so be the first of the next call.
 */
export class AdvanceRun {
  #listener: (state: FinishedRunState) => void = () => undefined;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly runs: RunRepository,
    private readonly plans: Pick<PlanRepository, 'find'>,
    private readonly context: LockRunContext,
    private readonly starting: StartQueuedRun,
    private readonly dispatching: DispatchStep,
    private readonly answers: RecordAnswer,
    private readonly health: EvaluateHealth,
    private readonly moves: MoveRun,
    private readonly journal: RunJournal,
    private readonly dispatcher: ToolDispatcher,
    private readonly settings: RunSettings,
  ) {}

  /** Is told of every run that this process brings to its end, after that is committed. */
  onEnd(listener: (state: FinishedRunState) => void): void {
    this.#listener = listener;
  }

  /** @param goesOn asked after each answer: whether the run's next turn is taken at once, with the answer. */
  async execute(tenantId: TenantId, runId: RunId, goesOn: () => boolean = () => false): Promise<Again> {
    let turn = await this.#committed(tenantId, runId, (tx) => this.#turn(tx, runId));
    while (turn.sent !== null) {
      const { sent } = turn;
      const outcome = await this.dispatcher.dispatch(sent.order);
      // Its report ends the wait sooner.
      if (outcome.kind === 'offered') return { when: 'at', at: sent.leaseUntil };
      if (!goesOn()) {
        await this.answers.execute(tenantId, sent, outcome);
        return NOW;
      }
      turn = await this.#answerAndGoOn(tenantId, runId, sent, outcome);
    }
    return turn.again;
  }

  async #committed(tenantId: TenantId, runId: RunId, work: (tx: Tx) => Promise<Turn>): Promise<Turn> {
    const { ended, ...turn } = await this.uow.run(tenantId, async (tx) => {
      const taken = await work(tx);
      return { ...taken, ended: taken.mayHaveEnded === true ? await this.#endOf(tx, runId) : null };
    });
    if (ended !== null) this.#listener(ended);
    return turn;
  }

  async #endOf(tx: Tx, runId: RunId): Promise<FinishedRunState | null> {
    const state = (await this.runs.find(tx, runId))?.state;
    return state !== undefined && isFinished(state) ? state : null;
  }

  /** The answer is written with the next turn. If that transaction fails, the answer is written by itself. */
  async #answerAndGoOn(tenantId: TenantId, runId: RunId, sent: Sent, outcome: DispatchOutcome): Promise<Turn> {
    try {
      return await this.#committed(tenantId, runId, async (tx) => {
        const held = await this.context.toAdvance(tx, sent.run);
        const { run, step } = await this.answers.take(tx, held.run, sent, { outcome, now: held.now, held });
        const ahead = held.ahead.map((each) => (each.id === step.id ? step : each));
        return this.#decided(tx, { ...held, run, ahead });
      });
    } catch {
      // The next turn meets the same error and reports it.
      await this.answers.execute(tenantId, sent, outcome);
      return { again: NOW, sent: null };
    }
  }

  async #turn(tx: Tx, runId: RunId): Promise<Turn> {
    const found = await this.runs.find(tx, runId);
    if (found === null || isFinished(found.state)) return { again: NEVER, sent: null };
    // Rows read without a lock say only which locks to take: fewer if no call is sent and no run starts or ends.
    if (needsContext(await this.#next(tx, found, await tx.now()), found)) {
      return this.#decided(tx, await this.context.toAdvance(tx, found));
    }
    const [run, now] = await Promise.all([this.runs.lockToAdvance(tx, runId), tx.now()]);
    return run === null ? { again: NEVER, sent: null } : this.#decided(tx, { run, now, context: null, ahead: null });
  }

  async #next(tx: Tx, run: Run, now: number, known?: Pick<Locked, 'context' | 'ahead'>): Promise<Next> {
    const plan = known?.context?.subject.plan.expanded ?? (await this.plans.find(tx, run.planId))?.expansion?.plan;
    if (plan === undefined) throw new Error(`the plan of run ${run.id} is gone`);
    if (run.state === 'executing') {
      const ahead = known?.ahead ?? (await this.runs.stepsAhead(tx, run.id));
      return { steps: ahead, action: nextAction(buildViewAhead(run, plan, ahead, this.settings.waitScale), now) };
    }
    const [steps, health] = [await this.runs.steps(tx, run.id), await this.runs.healthResults(tx, run.id)];
    return { steps, action: nextAction(buildRunView(run, plan, steps, health, this.settings.waitScale), now) };
  }

  /** Decides under the run's lock, and does it; or leaves it to another turn if that takes locks that were not taken. */
  async #decided(tx: Tx, { run, now, context, ahead }: Locked): Promise<Turn> {
    if (isFinished(run.state)) {
      await this.runs.save(tx, run);
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
    run: Run,
    context: RunContext | null,
    action: NextAction,
    { now, step }: { readonly now: number; readonly step: RunStep | null },
  ): Promise<Turn> {
    switch (action.do) {
      case 'nothing':
        await this.#leaveUntil(tx, run, null);
        return { again: NEVER, sent: null };
      case 'wait':
        return this.#wait(tx, run, action, now);
      case 'start':
        return { again: await this.starting.execute(tx, run, required(context), now), sent: null };
      case 'take_request':
        await this.#takeRequest(tx, run, context, action.request, now);
        break;
      case 'evaluate_health':
        await this.#evaluate(tx, run, context, action, now);
        break;
      case 'thaw':
        await this.moves.execute(tx, run, 'resume', context, { at: now, reason: null });
        break;
      case 'run_out':
        await this.moves.execute(tx, run, 'pause', context, { at: now, reason: RUN_OUT });
        break;
      case 'complete':
        await this.moves.execute(tx, run, 'complete', context, { at: now, reason: null });
        break;
      case 'finish_rollback':
        await this.moves.execute(tx, run, action.failed ? 'fail_rollback' : 'finish_rollback', context, {
          at: now,
          reason: run.rollbackReason,
        });
        break;
      default:
        return this.#takeStep(tx, run, context, action.do, held(step), 'code' in action ? action.code : null, now);
    }
    return { again: NOW, sent: null };
  }

  async #takeStep(
    tx: Tx,
    run: Run,
    context: RunContext | null,
    what: Extract<NextAction, { readonly stepId: string }>['do'],
    step: RunStep,
    code: HoldCode | null,
    now: number,
  ): Promise<Turn> {
    switch (what) {
      case 'dispatch':
        return this.#send(tx, run, required(context), step, 'call', now);
      case 'compensate':
        return this.#send(tx, run, required(context), step, 'compensation', now);
      case 'redispatch': {
        const again = await this.#loseWorker(tx, run, step, now);
        return this.#send(
          tx,
          again,
          required(context),
          step,
          step.state === 'compensating' ? 'compensation' : 'call',
          now,
        );
      }
      case 'give_up':
        await this.#giveUp(tx, await this.#loseWorker(tx, run, step, now), step, now);
        break;
      case 'retry': {
        const back = retried(step, now);
        if (!back.ok) throw new FailureError(back.error);
        await this.runs.saveStep(tx, back.value);
        await this.#happened(tx, run, 'run.step_retried', { ...stepFacts(step), failures: step.failures }, now);
        break;
      }
      case 'begin_rollback':
        await this.moves.execute(tx, run, 'roll_back', context, { at: now, reason: stepFailed(step) });
        break;
      case 'hold':
        await this.moves.execute(tx, run, 'pause', context, { at: now, reason: holdReason(code, step) });
        break;
    }
    return { again: NOW, sent: null };
  }

  /** Commits the call as dispatched; or, where it may not leave, pauses the run. */
  async #send(
    tx: Tx,
    run: Run,
    context: RunContext,
    step: RunStep,
    purpose: 'call' | 'compensation',
    now: number,
  ): Promise<Turn> {
    const dispatch = await this.dispatching.execute(tx, run, context, step, purpose, now);
    if (dispatch.kind === 'sent') {
      await this.runs.save(tx, dispatch.sent.run);
      return { again: NOW, sent: dispatch.sent };
    }
    const decisionId: DecisionId | undefined = dispatch.decision?.id;
    const idle = step.leaseUntil === null ? run : await this.#giveUp(tx, run, step, now);
    await this.moves.execute(tx, idle, 'pause', context, {
      at: now,
      reason: dispatch.reason,
      ...(decisionId === undefined ? {} : { decisionId }),
    });
    return { again: NOW, sent: null };
  }

  async #wait(tx: Tx, run: Run, wait: Extract<NextAction, { do: 'wait' }>, now: number): Promise<Turn> {
    const announced =
      wait.for === 'batch' && wait.batch !== undefined && run.waitUntil !== wait.until
        ? await this.journal.recordOwn(
            tx,
            { ...run, waitUntil: wait.until },
            {
              type: 'run.waiting',
              data: {
                phase_index: wait.batch.phaseIndex,
                batch_index: wait.batch.batchIndex,
                until: new Date(wait.until).toISOString(),
                wait_ms: wait.batch.waitMs,
                ...(this.settings.waitScale === 1 ? {} : { shortened_for_demonstration_by: this.settings.waitScale }),
              },
              at: now,
            },
          )
        : run;
    const at = run.pauseBy !== null && run.pauseBy > now ? Math.min(wait.until, run.pauseBy) : wait.until;
    await this.#leaveUntil(tx, announced, at);
    return { again: { when: 'at', at }, sent: null };
  }

  async #leaveUntil(tx: Tx, run: Run, nextAt: number | null): Promise<void> {
    await this.runs.save(tx, { ...run, nextAt });
  }

  async #takeRequest(tx: Tx, run: Run, context: RunContext | null, request: RunRequest, now: number): Promise<void> {
    await this.moves.execute(tx, run, request, context, { at: now, reason: run.requestedBy?.reason ?? null });
  }

  async #evaluate(
    tx: Tx,
    run: Run,
    context: RunContext | null,
    { batch }: Extract<NextAction, { do: 'evaluate_health' }>,
    now: number,
  ): Promise<void> {
    const result = await this.health.execute(tx, run, batch, now);
    const at: JsonObject = { phase_index: batch.phaseIndex, batch_index: batch.batchIndex };
    const facts: JsonObject = {
      ...at,
      verdict: result.verdict,
      condition: result.condition,
      metrics: { ...result.metrics },
      explanation: result.explanation,
    };
    const judged = await this.#happened(tx, run, 'run.health_evaluated', facts, now);
    if (result.verdict === 'healthy') return;
    const unclear = result.verdict === 'unclear';
    await this.moves.execute(tx, judged, unclear ? 'pause' : 'roll_back', context, {
      at: now,
      reason: {
        code: unclear ? 'run.health_unclear' : 'run.rollback_condition_met',
        message: result.explanation,
        details: facts,
      },
    });
  }

  /** Closes the dispatched attempt. Its effect cannot be known. */
  async #loseWorker(tx: Tx, run: Run, step: RunStep, now: number): Promise<Run> {
    const attempt = await this.runs.latestAttempt(tx, step.id, step.state === 'compensating' ? 'compensation' : 'call');
    const given =
      attempt?.finishedAt !== null
        ? null
        : await this.runs.finishAttempt(tx, attempt, {
            finishedAt: now,
            outcome: 'unknown',
            effect: null,
            result: null,
            error: WORKER_LOST,
          });
    const evidence =
      given === null
        ? []
        : [{ kind: 'attempt' as const, id: given.id, digest: digestOf('attempt', attemptDocument(given)) }];
    return this.#happened(
      tx,
      run,
      'run.worker_lost',
      { ...stepFacts(step), attempt: attempt?.number ?? null },
      now,
      evidence,
    );
  }

  async #giveUp(tx: Tx, run: Run, step: RunStep, now: number): Promise<Run> {
    const given = givenUp(step, now);
    if (!given.ok) throw new FailureError(given.error);
    await this.runs.saveStep(tx, given.value);
    return this.#happened(tx, run, 'run.step_given_up', { ...stepFacts(step), state: given.value.state }, now);
  }

  async #happened(
    tx: Tx,
    run: Run,
    type: `run.${string}`,
    data: JsonObject,
    at: number,
    evidence: readonly EvidenceRef[] = [],
  ): Promise<Run> {
    const recorded = await this.journal.recordOwn(tx, run, { type, data, at, evidence });
    const next = { ...recorded, nextAt: at, updatedAt: at };
    await this.runs.save(tx, next);
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

function required(context: RunContext | null): RunContext {
  if (context === null) throw new Error('nothing is locked that stands before the run');
  return context;
}

const stepOf = (steps: readonly RunStep[], id: string): RunStep | null => steps.find((step) => step.id === id) ?? null;

function held(step: RunStep | null): RunStep {
  if (step === null) throw new Error('the step that was decided on is not among the steps of its run');
  return step;
}

const RUN_OUT: RunReason = {
  code: 'run.time_limit',
  message: `It has gone on for ${String(RUN_TIME_LIMIT_MINUTES)} minutes, as long as a run may: a person resumes it, for as long again, or ends it.`,
  details: { limit_minutes: RUN_TIME_LIMIT_MINUTES },
};

const stepFailed = (step: RunStep): RunReason => ({
  code: 'run.step_failed',
  message: `Step "${step.stepId}" failed${step.error === null ? '' : `: ${step.error.message}`}.`,
  details: { ...stepFacts(step), error: step.error === null ? null : { ...step.error } },
});

function holdReason(code: HoldCode | null, step: RunStep): RunReason {
  const details = { ...stepFacts(step), error: step.error === null ? null : { ...step.error } };
  switch (code) {
    case 'run.effect_unknown':
      return {
        code,
        message: `Nobody can say whether "${step.stepId}" happened: a person finds out and resolves it.`,
        details,
      };
    case 'run.health_check_failed':
      return { code, message: `Health check "${step.stepId}" failed: ${step.error?.message ?? 'no answer'}`, details };
    default:
      return stepFailed(step);
  }
}
