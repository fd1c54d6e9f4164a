import { unlessMalformed } from '#lib/database';
import { type RunId, type Tx } from '#lib/kernel';
import { attemptEvidence } from '../domain/evidence-documents.js';
import { paused } from '../domain/run-changes.js';
import { isEnded, type LiveRun, type RunReason } from '../domain/run.js';
import { purposeOf, type StepIn } from '../domain/run-step.js';
import { givenUpAttempt, isFinishedAttempt } from '../domain/step-attempt.js';
import { RESTORED, restored } from '../domain/step-changes.js';
import { stepFacts } from '../domain/step-reasons.js';
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
 * cancelled: it may have started after the backup. A run with a row that cannot be read is passed over: its turns fail.
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
    for (const id of live) await this.#stop(tx, id, restore);
    return live;
  }

  async #stop(tx: Tx, id: RunId, { epoch, reason }: Restore): Promise<void> {
    const found = await unlessMalformed(this.runs.find(tx, id));
    if (found === null) return;
    const { context, run, now } = await this.context.execute(tx, found);
    if (isEnded(run)) return;
    let stopped: LiveRun = run;
    for (const step of await this.runs.steps(tx, id)) {
      if (step.state === 'dispatched' || step.state === 'compensating')
        stopped = await this.#lose(tx, stopped, step, now);
    }
    const why: RunReason = { code: 'run.restored', message: reason, details: { epoch } };
    // A request was made in a state that may be long past.
    const unasked: LiveRun = { ...stopped, requested: null, requestedBy: null };
    switch (unasked.state) {
      case 'queued':
        await this.moves.end(tx, { event: 'cancel', run: unasked, reason: why }, context, { at: now });
        return;
      case 'executing':
      case 'rolling_back':
        await this.moves.execute(tx, 'pause', paused(unasked, why, now), { at: now });
        return;
      case 'paused': {
        const told = { type: 'run.restored', data: { epoch, note: reason }, at: now } as const;
        const recorded = await this.journal.recordOwn(tx, unasked, told);
        await this.runs.save(tx, { ...recorded, nextAt: null, updatedAt: now });
      }
    }
  }

  async #lose(tx: Tx, run: LiveRun, step: StepIn<'dispatched' | 'compensating'>, now: number): Promise<LiveRun> {
    const attempt = await this.runs.latestAttempt(tx, step.id, purposeOf(step));
    const given =
      attempt === null || isFinishedAttempt(attempt)
        ? attempt
        : await this.runs.finishAttempt(tx, attempt, givenUpAttempt(RESTORED, now));
    const lost = restored(step, now);
    await this.runs.saveStep(tx, lost);
    return this.journal.recordOwn(tx, run, {
      type: 'run.step_given_up',
      data: { ...stepFacts(lost), state: lost.state },
      at: now,
      evidence: given === null ? [] : [attemptEvidence(given)],
    });
  }
}
