import type { JsonObject } from '#lib/canonical';
import {
  actorOf,
  type DecisionId,
  digestOf,
  type EvidenceRef,
  FailureError,
  type JobQueue,
  type Outbox,
  type Principal,
  type Tx,
  inRun,
} from '#lib/kernel';
import type { RecordOutcome } from '#lib/simulation';
import type { TaskEvent, TaskLifecycle } from '#lib/task';
import { actualCalls } from '../domain/actual-calls.js';
import type { FinishedRunState, RunEventName } from '../domain/run-transitions.js';
import { isFinished, nextRunState } from '../domain/run-transitions.js';
import { runDocument } from '../domain/evidence-documents.js';
import { pauseByOf } from '../domain/run-time-limit.js';
import { frozenUntilOf } from '../domain/build-run-view.js';
import { runOutcome } from '../domain/run-outcome.js';
import type { Run, RunReason } from '../domain/run.js';
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

/** The reason and the actor of a change of state. */
export interface RunMove {
  readonly at: number;
  readonly reason: RunReason | null;
  readonly by?: Principal;
  readonly decisionId?: DecisionId;
  readonly facts?: JsonObject;
}

interface Ended {
  readonly run: Run;
  readonly evidence: EvidenceRef;
}

/** Changes a run's state, and when that ends it everything that hangs on it: task, locks, outcome, prediction. */
export class MoveRun {
  constructor(
    private readonly runs: RunRepository,
    private readonly journal: RunJournal,
    private readonly tasks: TaskLifecycle,
    private readonly predictions: RecordOutcome,
    private readonly jobs: JobQueue,
    private readonly outbox: Outbox,
    private readonly listeners: readonly RunMovedListener[],
  ) {}

  /**
   * The run as it was saved, with its event written. The caller has decided that the event is legal; one that is not
   * throws and rolls back.
   *
   * @param context everything that stands before the run, locked; null only for an event that does not end it.
   */
  async execute(tx: Tx, run: Run, event: RunEventName, context: RunContext | null, move: RunMove): Promise<Run> {
    const next = nextRunState(run.state, event);
    if (!next.ok) throw new FailureError(next.error);
    const state = next.value;
    const moved: Run = {
      ...run,
      state,
      reason: move.reason,
      requested: event === 'pause' && run.requested !== 'pause' ? run.requested : null,
      requestedBy: event === 'pause' && run.requested !== 'pause' ? run.requestedBy : null,
      rollbackReason: event === 'roll_back' ? (run.rollbackReason ?? move.reason) : run.rollbackReason,
      nextAt: state === 'paused' || isFinished(state) ? frozenUntilOf({ state, reason: move.reason }) : move.at,
      pauseBy: state === 'executing' ? pauseByOf(move.at) : null,
      updatedAt: move.at,
    };
    const principal = move.by ?? runExecutor(tx.tenantId);
    if (isFinished(state) && context === null) throw new Error('a run ends only with its task and plan locked');
    const end =
      isFinished(state) && context !== null ? await this.#end(tx, moved, state, context, move, principal) : null;
    const ended = end?.run ?? moved;
    const recorded = await this.journal.record(tx, ended, {
      type: TYPES[event],
      actor: actorOf(principal),
      data: {
        state,
        reason: reasonJson(move.reason),
        ...(ended.outcome === null ? {} : { outcome: outcomeJson(ended) }),
        ...move.facts,
      },
      at: move.at,
      ...(move.decisionId === undefined ? {} : { decisionId: move.decisionId }),
      ...(end === null ? {} : { evidence: [end.evidence] }),
    });
    await this.runs.save(tx, recorded);
    await this.outbox.write(tx, { topic: 'run.changed', payload: { run_id: run.id, event: TYPES[event] } });
    const actor = actorOf(principal);
    for (const listener of this.listeners) {
      await listener.runMoved(tx, { run: recorded, type: TYPES[event], actor, at: move.at });
    }
    return recorded;
  }

  async #end(
    tx: Tx,
    run: Run,
    state: FinishedRunState,
    context: RunContext,
    move: RunMove,
    by: Principal,
  ): Promise<Ended> {
    const steps = await this.runs.steps(tx, run.id);
    const failedHalfway = await this.runs.failedHalfway(tx, run.id);
    const outcome = runOutcome(run, context.subject.plan.expanded, steps, { state, at: move.at, failedHalfway });
    const ended: Run = { ...run, outcome, finishedAt: move.at, waitingOn: null, waitUntil: null };
    await this.#moveTask(tx, ended, state, context, move, by);
    for (const waiting of await this.runs.releaseTargets(tx, ended)) {
      if (waiting !== run.id) await this.jobs.enqueue(tx, 'run.advance', waiting);
    }
    if (run.simulationId !== null) {
      const calls = actualCalls(context.subject.plan.expanded, steps, await this.runs.attempts(tx, run.id));
      if (calls.length > 0) {
        await this.predictions.recordOutcome(tx, { runId: run.id, simulationId: run.simulationId, calls });
      }
    }
    const document = runDocument(ended, steps, await this.runs.healthResults(tx, run.id));
    return { run: ended, evidence: { kind: 'run', id: run.id, digest: digestOf('run', document) } };
  }

  async #moveTask(
    tx: Tx,
    run: Run,
    state: FinishedRunState,
    context: RunContext,
    move: RunMove,
    by: Principal,
  ): Promise<void> {
    const { task, plan } = context.subject;
    if (task.state !== 'executing') return;
    const partly = run.phases === 'canary' && plan.expanded.phases.some((phase) => !phase.canary);
    const changed = await this.tasks.transition(tx, task, taskEvent(state, partly), {
      principal: by,
      at: move.at,
      within: inRun(run),
    });
    if (!changed.ok) throw new FailureError(changed.error);
  }
}

/** A cancelled run leaves its task to be planned again, and so does a canary that leaves phases to be promoted. */
function taskEvent(state: FinishedRunState, partly: boolean): TaskEvent {
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

const outcomeJson = ({ outcome }: Run): JsonObject | null =>
  outcome === null
    ? null
    : { ...outcome, calls: { ...outcome.calls }, not_undone: outcome.not_undone.map((each) => ({ ...each })) };
