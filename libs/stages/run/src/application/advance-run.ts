import type { DispatchOutcome, ToolDispatcher } from '#lib/dispatch';
import type { RunId, TenantId, Tx, UnitOfWork } from '#lib/kernel';
import type { PlanRepository } from '#lib/plan';
import { buildRunView, buildViewAhead } from '../domain/build-run-view.js';
import { needsContext, nextAction, type NextAction } from '../domain/next-action.js';
import { type EndedRun, isEnded, type Run } from '../domain/run.js';
import type { RunStep } from '../domain/run-step.js';
import type { Sent } from './dispatch-step.js';
import type { LockRunContext } from './lock-run-context.js';
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

/** The one thing to do next, and the steps it was decided from. */
interface Next {
  readonly action: NextAction;
  readonly steps: readonly RunStep[];
}

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
 * fence and a grant; the second writes the answer, only if attempt and fence still match. A worker that dies in between leaves
 * an attempt that is out. If its executor kept the answer, it is written. Otherwise an idempotent one is sent again
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
      const { sent } = turn;
      const outcome = await this.deps.dispatcher.dispatch(sent.order);
      // Its report ends the wait sooner.
      if (outcome.kind === 'offered') return { when: 'at', at: sent.leaseUntil };
      if (!goesOn()) {
        await this.deps.answers.execute(tenantId, sent, outcome);
        return { when: 'now' };
      }
      turn = await this.#answerAndGoOn(tenantId, sent, outcome);
    }
    if (turn.kind === 'again') return turn.again;
    this.#listener(turn.state);
    return { when: 'never' };
  }

  /** The answer is written with the next turn. If that transaction fails, the answer is written by itself. */
  async #answerAndGoOn(tenantId: TenantId, sent: Sent, outcome: DispatchOutcome): Promise<Turn> {
    try {
      return await this.deps.uow.run(tenantId, async (tx) => {
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
      return AT_ONCE;
    }
  }

  async #turn(tx: Tx, runId: RunId): Promise<Turn> {
    const found = await this.deps.runs.find(tx, runId);
    if (found === null || isEnded(found)) return NO_MORE;
    // Rows read without a lock say only which locks to take. Fewer are needed if no call is sent and no run starts or
    // ends.
    const { action } = await this.#next(tx, found, await tx.now());
    if (needsContext(action)) return this.#decided(tx, await this.deps.context.toAdvance(tx, found));
    const [run, now] = await Promise.all([this.deps.runs.lockToAdvance(tx, runId), tx.now()]);
    return run === null ? NO_MORE : this.#decided(tx, { run, now, context: null, ahead: null });
  }

  /** Decides under the run's lock, and does it; or leaves it to another turn if that takes locks that were not taken. */
  async #decided(tx: Tx, { run, now, context, ahead }: Locked): Promise<Turn> {
    if (isEnded(run)) {
      await this.deps.runs.save(tx, run);
      return NO_MORE;
    }
    const { action, steps } = await this.#next(tx, run, now, { context, ahead });
    if (context === null && needsContext(action)) return AT_ONCE;
    return this.deps.actions.execute(tx, action, { run, steps, context, now });
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
}
