import type { DispatchOutcome, ToolDispatcher } from '#lib/dispatch';
import type { ExpandedPlan } from '#lib/formats';
import type { RunId, TenantId, Tx, UnitOfWork } from '#lib/kernel';
import type { PlanRepository } from '#lib/plan';
import { buildRunView, buildViewAhead } from '../domain/build-run-view.js';
import { foreseeContext } from '../domain/foresee-context.js';
import { needsContext, nextAction, type NextAction } from '../domain/next-action.js';
import { type EndedRun, isEnded, type Run } from '../domain/run.js';
import type { RunStep } from '../domain/run-step.js';
import type { Sent } from './dispatch-step.js';
import type { LockedRun, LockRunContext } from './lock-run-context.js';
import type { RecordAnswer } from './record-answer.js';
import type { Again, RunContext, RunSettings } from './run.ports.js';
import type { RunRepository } from './run.repository.js';
import type { TakeAction } from './take-action.js';
import { AT_ONCE, NO_MORE, type Turn } from './turn.js';

/** A run under its lock, with the facts that decide its turn. */
interface Locked {
  readonly run: Run;
  readonly now: number;
  /** Everything that stands before the run, if it is locked too. */
  readonly context: RunContext | null;
  /** The steps ahead under the lock; null if they are yet to be read. */
  readonly ahead: readonly RunStep[] | null;
}

/** The plan and the steps that a turn is decided from. */
interface Known {
  readonly plan: ExpandedPlan;
  readonly steps: readonly RunStep[];
}

/** The one thing to do next. */
interface Next extends Known {
  readonly action: NextAction;
}

type SentTurn = Extract<Turn, { readonly kind: 'sent' }> & { readonly known: Known };

/** A turn. One that sent a call keeps its plan and its steps for the turn after the answer. */
type Taken = Exclude<Turn, { readonly kind: 'sent' }> | SentTurn;

interface AdvanceRunDeps {
  readonly uow: UnitOfWork;
  readonly runs: RunRepository;
  readonly plans: Pick<PlanRepository, 'find'>;
  readonly context: LockRunContext;
  readonly actions: TakeAction;
  readonly answers: RecordAnswer;
  readonly dispatcher: ToolDispatcher;
  readonly settings: Pick<RunSettings, 'waitScale'>;
}

/**
 * Advances a run by the one thing that is next, and says when to call it again. May be called at any time, by any
 * number of workers at once and as often as they like. Every turn is decided from the rows, under their locks.
 *
 * A tool is called between two transactions. The first commits the attempt as dispatched, with a number, a lease, a
 * fence and a grant. The second writes the answer, only if attempt and fence still match. A worker that dies in between leaves
 * an attempt that is in flight. If its executor kept the answer, it is written. Otherwise an idempotent one is sent again
 * when its lease is over. Another becomes `unknown` and waits for a person (invariant 6). The second transaction may
 * take the run's next turn, and so be the first of the next call.
 */
export class AdvanceRun {
  #listener: (state: EndedRun['state']) => void = () => undefined;

  constructor(private readonly deps: AdvanceRunDeps) {}

  /** Is told of every run that this process brings to its end, after that is committed. */
  onEnd(listener: (state: EndedRun['state']) => void): void {
    this.#listener = listener;
  }

  /** @param goesOn asked after each answer: whether the run's next turn is taken at once, with the answer. */
  async execute(tenantId: TenantId, runId: RunId, goesOn: () => boolean = () => false): Promise<Again> {
    let turn = await this.deps.uow.run(tenantId, (tx) => this.#turn(tx, runId));
    while (turn.kind === 'sent') {
      const { sent }: SentTurn = turn;
      const outcome = await this.deps.dispatcher.dispatch(sent.order);
      // Its report ends the wait sooner.
      if (outcome.kind === 'offered') return { when: 'at', at: sent.leaseUntil };
      if (!goesOn()) {
        await this.deps.answers.execute(tenantId, sent, outcome);
        return { when: 'now' };
      }
      turn = await this.#answerAndGoOn(tenantId, turn, outcome);
    }
    if (turn.kind === 'again') return turn.again;
    this.#listener(turn.state);
    return { when: 'never' };
  }

  /** The answer is written with the next turn. If that transaction fails, the answer is written by itself. */
  async #answerAndGoOn(tenantId: TenantId, { sent, known }: SentTurn, outcome: DispatchOutcome): Promise<Taken> {
    try {
      return await this.deps.uow.run(tenantId, async (tx) => {
        const locked = (await this.#contextFollows(tx, sent, known, outcome))
          ? await this.deps.context.toAdvance(tx, sent.run)
          : await this.#lockAlone(tx, sent);
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
      return AT_ONCE;
    }
  }

  /**
   * Whether the answer is followed by an action that needs the rows before the run. The sender of the call knows enough to say so
   * without a look at the database. The clock is asked only if the run's time limit may end before the lease.
   */
  async #contextFollows(
    tx: Tx,
    { run, step, leaseUntil }: Sent,
    known: Known,
    outcome: DispatchOutcome,
  ): Promise<boolean> {
    const now = run.pauseBy === null || run.pauseBy > leaseUntil ? run.updatedAt : await tx.now();
    return foreseeContext({ ...known, run, step }, outcome, now, this.deps.settings.waitScale);
  }

  /** The run of a sent call, with the steps that its next action looks at. @throws {Error} if the run is gone. */
  async #lockAlone(tx: Tx, { run: { id }, attemptId }: Sent): Promise<Locked & Pick<LockedRun, 'ahead' | 'inFlight'>> {
    const [run, now, ahead, attempt] = await Promise.all([
      this.deps.runs.lockToAdvance(tx, id),
      tx.now(),
      this.deps.runs.stepsAhead(tx, id),
      this.deps.runs.findAttempt(tx, attemptId),
    ]);
    if (run === null) throw new Error(`run ${id} is gone while a call of it was in flight`);
    return { run, now, ahead, inFlight: attempt === null ? [] : [attempt], context: null };
  }

  async #turn(tx: Tx, runId: RunId): Promise<Taken> {
    const found = await this.deps.runs.find(tx, runId);
    if (found === null || isEnded(found)) return NO_MORE;
    // Rows read without a lock say only which locks to take. Fewer are needed if no call is sent and no run starts or
    // ends.
    const { action } = await this.#next(tx, found, await tx.now());
    if (needsContext(action)) return this.#decided(tx, await this.deps.context.toAdvance(tx, found));
    const [run, now] = await Promise.all([this.deps.runs.lockToAdvance(tx, runId), tx.now()]);
    return run === null ? NO_MORE : this.#decided(tx, { run, now, context: null, ahead: null });
  }

  /** Decides under the run's lock, and does it. If that takes locks that were not taken, another turn does it. */
  async #decided(tx: Tx, { run, now, context, ahead }: Locked): Promise<Taken> {
    if (isEnded(run)) {
      await this.deps.runs.save(tx, run);
      return NO_MORE;
    }
    const { action, ...known } = await this.#next(tx, run, now, { context, ahead });
    if (context === null && needsContext(action)) {
      // An answer may have changed it.
      await this.deps.runs.save(tx, { ...run, nextAt: now });
      return AT_ONCE;
    }
    const turn = await this.deps.actions.execute(tx, action, { run, steps: known.steps, context, now });
    return turn.kind === 'sent' ? { ...turn, known } : turn;
  }

  async #next(tx: Tx, run: Run, now: number, known?: Pick<Locked, 'context' | 'ahead'>): Promise<Next> {
    const plan = known?.context?.subject.plan.expanded ?? (await this.deps.plans.find(tx, run.planId))?.expansion?.plan;
    if (plan === undefined) throw new Error(`the plan of run ${run.id} is gone`);
    if (run.state === 'executing' || run.state === 'queued') {
      // No step of a queued run was ever in flight, so its steps say nothing.
      const ahead = run.state === 'queued' ? [] : (known?.ahead ?? (await this.deps.runs.stepsAhead(tx, run.id)));
      return {
        plan,
        steps: ahead,
        action: nextAction(buildViewAhead(run, plan, ahead, this.deps.settings.waitScale), now),
      };
    }
    const [steps, health] = [await this.deps.runs.steps(tx, run.id), await this.deps.runs.healthResults(tx, run.id)];
    return {
      plan,
      steps,
      action: nextAction(buildRunView(run, plan, steps, health, this.deps.settings.waitScale), now),
    };
  }
}
