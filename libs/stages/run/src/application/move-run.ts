import type { JsonObject } from '#lib/canonical';
import {
  actorOf,
  type DecisionId,
  digestOf,
  type EvidenceRef,
  type JobQueue,
  type Outbox,
  type Principal,
  type Tx,
} from '#lib/kernel';
import type { RecordOutcome } from '#lib/simulation';
import type { EventIn, TaskLifecycle } from '#lib/task';
import { actualCalls } from '../domain/actual-calls.js';
import { runDocument } from '../domain/evidence-documents.js';
import { inRun } from '../domain/in-run.js';
import { END_STATES, ended, type Ending, resumed, rollingBack } from '../domain/run-changes.js';
import type { EndedRun, LiveRun, PausedRun, Run, RunIn, RunOutcome, RunReason } from '../domain/run.js';
import { runOutcome } from '../domain/run-outcome.js';
import type { EndingEvent, MovingEvent, RunEventName, ToState } from '../domain/run-transitions.js';
import { type RunJournal, runExecutor } from './run-journal.js';
import type { RunContext, RunMovedListener } from './run.ports.js';
import type { RunRepository } from './run.repository.js';

const TYPES = {
  start: 'run.started',
  pause: 'run.paused',
  resume: 'run.resumed',
  complete: 'run.completed',
  roll_back: 'run.rolling_back',
  finish_rollback: 'run.rolled_back',
  fail_rollback: 'run.rollback_failed',
  cancel: 'run.cancelled',
  fail: 'run.failed',
} as const satisfies Record<RunEventName, `run.${string}`>;

/** The time and the actor of a change of state. */
export interface RunMove {
  readonly at: number;
  /** By default the run executor. */
  readonly by?: Principal;
  readonly decisionId?: DecisionId;
  readonly facts?: JsonObject;
}

interface MoveRunDeps {
  readonly runs: RunRepository;
  readonly journal: RunJournal;
  readonly tasks: TaskLifecycle;
  readonly predictions: RecordOutcome;
  readonly jobs: JobQueue;
  readonly outbox: Outbox;
  readonly listeners: readonly RunMovedListener[];
}

/** Saves and records a run's change of state. Ends a run with everything that depends on it: task, locks, prediction. */
export class MoveRun {
  constructor(private readonly deps: MoveRunDeps) {}

  /** @param moved the run after the event. @returns the same as it was saved. */
  execute<E extends MovingEvent>(tx: Tx, event: E, moved: RunIn<ToState<E>>, move: RunMove): Promise<LiveRun> {
    return this.#record(tx, event, moved, move, []);
  }

  /** A paused run goes on with its way forward, or with its rollback. */
  goOn(tx: Tx, run: PausedRun, move: RunMove): Promise<LiveRun> {
    return run.rollbackReason === null
      ? this.execute(tx, 'resume', resumed(run, move.at), move)
      : this.execute(tx, 'roll_back', rollingBack(run, run.rollbackReason, move.at), move);
  }

  /** @param context everything that stands before the run, locked. @returns the run as it ended. */
  async end(tx: Tx, ending: Ending, context: RunContext, move: RunMove): Promise<EndedRun> {
    const { plan } = context.subject;
    const { run, event } = ending;
    const steps = await this.deps.runs.steps(tx, run.id);
    const failedHalfway = await this.deps.runs.failedHalfway(tx, run.id);
    const at = { state: END_STATES[event], at: move.at, failedHalfway };
    const end = ended(ending, runOutcome(run, plan.expanded, steps, at), move.at);
    await this.#moveTask(tx, end, context, move);
    for (const waiting of await this.deps.runs.releaseTargets(tx, end)) {
      if (waiting !== run.id) await this.deps.jobs.enqueue(tx, 'run.advance', waiting);
    }
    if (run.simulationId !== null) {
      const calls = actualCalls(plan.expanded, steps, await this.deps.runs.attempts(tx, run.id));
      if (calls.length > 0) {
        await this.deps.predictions.recordOutcome(tx, { runId: run.id, simulationId: run.simulationId, calls });
      }
    }
    const document = runDocument(end, steps, await this.deps.runs.healthResults(tx, run.id));
    return this.#record(tx, event, end, move, [{ kind: 'run', id: run.id, digest: digestOf('run', document) }]);
  }

  async #record<R extends Run>(
    tx: Tx,
    event: MovingEvent | EndingEvent,
    run: R,
    { at, by, decisionId, facts }: RunMove,
    evidence: readonly EvidenceRef[],
  ): Promise<R> {
    const type = TYPES[event];
    const actor = actorOf(by ?? runExecutor(tx.tenantId));
    const recorded = await this.deps.journal.record(tx, run, {
      type,
      actor,
      data: {
        state: run.state,
        reason: reasonJson(run.reason),
        ...(run.outcome === null ? {} : { outcome: outcomeJson(run.outcome) }),
        ...facts,
      },
      at,
      ...(decisionId === undefined ? {} : { decisionId }),
      ...(evidence.length === 0 ? {} : { evidence }),
    });
    await this.deps.runs.save(tx, recorded);
    await this.deps.outbox.write(tx, { topic: 'run.changed', payload: { run_id: run.id, event: type } });
    for (const listener of this.deps.listeners) await listener.runMoved(tx, { run: recorded, type, actor, at });
    return recorded;
  }

  async #moveTask(tx: Tx, run: EndedRun, context: RunContext, { at, by }: RunMove): Promise<void> {
    const { task, plan } = context.subject;
    if (task.state !== 'executing') return;
    const partly = run.phases === 'canary' && plan.expanded.phases.some((phase) => !phase.canary);
    await this.deps.tasks.transition(tx, task, taskEvent(run.state, partly), {
      principal: by ?? runExecutor(tx.tenantId),
      at,
      within: inRun(run),
    });
  }
}

/** A cancelled run leaves its task to be planned again. So does a canary that leaves phases to be promoted. */
function taskEvent(state: EndedRun['state'], partly: boolean): EventIn<'executing'> {
  if (state === 'completed') return partly ? 'replan' : 'complete';
  return state === 'cancelled' ? 'replan' : 'fail';
}

const reasonJson = (reason: RunReason | null): JsonObject | null =>
  reason === null
    ? null
    : {
        code: reason.code,
        message: reason.message,
        ...(reason.reasons === undefined ? {} : { reasons: reason.reasons.map((each) => ({ ...each })) }),
        ...(reason.details === undefined ? {} : { details: reason.details }),
      };

const outcomeJson = (outcome: RunOutcome): JsonObject => ({
  ...outcome,
  calls: { ...outcome.calls },
  not_undone: outcome.not_undone.map((each) => ({ ...each })),
});
