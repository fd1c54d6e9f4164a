import { digestOf, FailureError, type RunId, type Tx } from '#lib/kernel';
import { attemptDocument } from '../domain/evidence-documents.js';
import type { Run, RunReason, RunStep } from '../domain/run.js';
import { RESTORED, restored } from '../domain/step-changes.js';
import { stepFacts } from './dispatch-step.js';
import type { LockRunContext } from './lock-run-context.js';
import type { MoveRun } from './move-run.js';
import type { RunJournal } from './run-journal.js';
import type { RunRepository } from './run.repository.js';

/** Which restore it was. */
export interface Restore {
  readonly epoch: number;
  readonly reason: string;
}

/**
 * Applies a restore from a backup to runs (T30). The backup lacks events that did happen, so no run goes on by itself.
 * Dispatched calls become `unknown`, idempotent ones too. A run under way pauses until a person has looked. A queued run is
 * cancelled: it may have started after the backup.
 */
export class PauseForRestore {
  constructor(
    private readonly runs: RunRepository,
    private readonly context: LockRunContext,
    private readonly moves: MoveRun,
    private readonly journal: RunJournal,
  ) {}

  /** @returns the runs that had not ended, as far as the backup tells. */
  async execute(tx: Tx, restore: Restore): Promise<readonly RunId[]> {
    const live = await this.runs.liveRuns(tx, { kind: 'tenant' });
    for (const id of live) await this.stop(tx, id, restore);
    return live;
  }

  private async stop(tx: Tx, id: RunId, { epoch, reason }: Restore): Promise<void> {
    const found = await this.runs.find(tx, id);
    if (found === null) throw new Error(`run ${id} is gone`);
    const { context, run, now } = await this.context.execute(tx, found);
    if (run.finishedAt !== null) return;
    let stopped = run;
    for (const step of await this.runs.steps(tx, id)) {
      if (step.state === 'dispatched' || step.state === 'compensating')
        stopped = await this.lose(tx, stopped, step, now);
    }
    const why: RunReason = { code: 'run.restored', message: reason, details: { epoch } };
    const event = EVENTS[run.state];
    if (event !== undefined) {
      // A request was made in a state that may be long past.
      const unasked: Run = { ...stopped, requested: null, requestedBy: null };
      await this.moves.execute(tx, unasked, event, context, { at: now, reason: why });
      return;
    }
    const recorded = await this.journal.recordOwn(tx, stopped, {
      type: 'run.restored',
      data: { epoch, note: reason },
      at: now,
    });
    await this.runs.save(tx, { ...recorded, requested: null, requestedBy: null, nextAt: null, updatedAt: now });
  }

  private async lose(tx: Tx, run: Run, step: RunStep, now: number): Promise<Run> {
    const purpose = step.state === 'compensating' ? 'compensation' : 'call';
    const attempt = await this.runs.latestAttempt(tx, step.id, purpose);
    const unanswered = { finishedAt: now, outcome: 'unknown', effect: null, result: null, error: RESTORED } as const;
    const given = attempt?.finishedAt === null ? await this.runs.finishAttempt(tx, attempt, unanswered) : attempt;
    const lost = restored(step, now);
    if (!lost.ok) throw new FailureError(lost.error);
    await this.runs.saveStep(tx, lost.value);
    return this.journal.recordOwn(tx, run, {
      type: 'run.step_given_up',
      data: { ...stepFacts(lost.value), state: lost.value.state },
      at: now,
      evidence:
        given === null ? [] : [{ kind: 'attempt', id: given.id, digest: digestOf('attempt', attemptDocument(given)) }],
    });
  }
}

/** The event of a run by its state; a paused run stays paused. */
const EVENTS: Partial<Record<Run['state'], 'pause' | 'cancel'>> = {
  queued: 'cancel',
  executing: 'pause',
  rolling_back: 'pause',
};
