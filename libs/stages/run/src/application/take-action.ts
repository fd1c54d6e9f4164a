import type { Tx } from '#lib/kernel';
import type { NextAction } from '../domain/next-action.js';
import { type Ending, paused, rollingBack } from '../domain/run-changes.js';
import { type ExecutingRun, type LiveRun, requireState } from '../domain/run.js';
import type { RunStep } from '../domain/run-step.js';
import { TIME_LIMIT } from '../domain/step-reasons.js';
import type { EvaluateHealth } from './evaluate-health.js';
import type { MoveRun } from './move-run.js';
import type { RunJournal } from './run-journal.js';
import { requireContext, type RunContext, type RunSettings } from './run.ports.js';
import type { RunRepository } from './run.repository.js';
import type { StartQueuedRun } from './start-queued-run.js';
import type { TakeStep } from './take-step.js';
import { againAt, AT_ONCE, endedAs, NO_MORE, type Turn } from './turn.js';

/** A run under its lock, with the steps that its next action was decided from. */
export interface ActionTurn {
  readonly run: LiveRun;
  readonly steps: readonly RunStep[];
  /** Null if the action needs none. */
  readonly context: RunContext | null;
  readonly now: number;
}

interface TakeActionDeps {
  readonly runs: Pick<RunRepository, 'save'>;
  readonly starting: StartQueuedRun;
  readonly stepping: TakeStep;
  readonly health: EvaluateHealth;
  readonly moves: MoveRun;
  readonly journal: RunJournal;
  readonly settings: Pick<RunSettings, 'waitScale'>;
}

/** Takes the one action that is next for a run, under the run's lock. */
export class TakeAction {
  constructor(private readonly deps: TakeActionDeps) {}

  async execute(tx: Tx, action: NextAction, { run, steps, context, now }: ActionTurn): Promise<Turn> {
    switch (action.do) {
      case 'nothing':
        await this.deps.runs.save(tx, { ...requireState(run, 'paused'), nextAt: null });
        return NO_MORE;
      case 'wait':
        return this.#wait(tx, run, action, now);
      case 'start':
        return this.deps.starting.execute(tx, requireState(run, 'queued'), requireContext(context), now);
      case 'take_request':
        return this.#takeRequest(tx, run, context, now);
      case 'evaluate_health':
        await this.deps.health.execute(tx, requireState(run, 'executing'), action.batch, now);
        return AT_ONCE;
      case 'resume_after_freeze':
        await this.deps.moves.goOn(tx, requireState(run, 'paused'), { at: now });
        return AT_ONCE;
      case 'time_limit':
        await this.deps.moves.execute(tx, 'pause', paused(requireState(run, 'executing'), TIME_LIMIT, now), {
          at: now,
        });
        return AT_ONCE;
      case 'complete':
        return this.#end(tx, { event: 'complete', run: requireState(run, 'executing') }, context, now);
      case 'finish_rollback': {
        const event = action.failed ? 'fail_rollback' : 'finish_rollback';
        return this.#end(tx, { event, run: requireState(run, 'rolling_back') }, context, now);
      }
      default:
        return this.deps.stepping.execute(tx, action, { run, step: requireStep(steps, action.stepId), context, now });
    }
  }

  async #wait(tx: Tx, run: LiveRun, wait: Extract<NextAction, { do: 'wait' }>, now: number): Promise<Turn> {
    const announced = wait.for === 'batch' ? await this.#announce(tx, requireState(run, 'executing'), wait, now) : run;
    const at = run.pauseBy !== null && run.pauseBy > now ? Math.min(wait.until, run.pauseBy) : wait.until;
    await this.deps.runs.save(tx, { ...announced, nextAt: at });
    return againAt(at);
  }

  /** Records the wait after a batch, once. */
  async #announce(
    tx: Tx,
    run: ExecutingRun,
    { until, batch }: Extract<NextAction, { for: 'batch' }>,
    now: number,
  ): Promise<ExecutingRun> {
    if (run.waitUntil === until) return run;
    const { waitScale } = this.deps.settings;
    const waiting: ExecutingRun = { ...run, waitUntil: until };
    return this.deps.journal.recordOwn(tx, waiting, {
      type: 'run.waiting',
      data: {
        phase_index: batch.phaseIndex,
        batch_index: batch.batchIndex,
        until: new Date(until).toISOString(),
        wait_ms: batch.waitMs,
        ...(waitScale === 1 ? {} : { shortened_for_demonstration_by: waitScale }),
      },
      at: now,
    });
  }

  async #takeRequest(tx: Tx, run: LiveRun, context: RunContext | null, now: number): Promise<Turn> {
    if (run.requested === null) throw new Error(`run ${run.id} has no request`);
    const { reason } = run.requestedBy;
    switch (run.requested) {
      case 'pause': {
        const active = requireState(run, 'executing', 'rolling_back');
        await this.deps.moves.execute(tx, 'pause', paused(active, reason, now), { at: now });
        return AT_ONCE;
      }
      case 'roll_back': {
        const back = rollingBack(requireState(run, 'executing', 'paused'), reason, now);
        await this.deps.moves.execute(tx, 'roll_back', back, { at: now });
        return AT_ONCE;
      }
      case 'cancel': {
        const cancelled = requireState(run, 'queued', 'executing', 'paused');
        return this.#end(tx, { event: 'cancel', run: cancelled, reason }, context, now);
      }
    }
  }

  async #end(tx: Tx, ending: Ending, context: RunContext | null, now: number): Promise<Turn> {
    return endedAs(await this.deps.moves.end(tx, ending, requireContext(context), { at: now }));
  }
}

function requireStep(steps: readonly RunStep[], id: string): RunStep {
  const step = steps.find((each) => each.id === id);
  if (step === undefined) throw new Error('the step that was decided on is not among the steps of its run');
  return step;
}
