import type { KeptAnswers } from '#lib/dispatch';
import type { Tx } from '#lib/kernel';
import type { LiveRun } from '../domain/run.js';
import { type InFlightStep, purposeOf } from '../domain/run-step.js';
import { isFinishedAttempt } from '../domain/step-attempt.js';
import { idempotencyKeyOf } from './dispatch-step.js';
import type { RecordAnswer } from './record-answer.js';
import { runExecutor } from './run-journal.js';
import type { Again } from './run.ports.js';
import type { RunRepository } from './run.repository.js';

/**
 * Looks for the answer to a call after its lease: its worker may have died after the executor had answered. Asked under the
 * lock of the run, before the call is sent again or given up (T27).
 */
export class RecoverAnswer {
  constructor(
    private readonly runs: RunRepository,
    private readonly answers: Pick<RecordAnswer, 'write'>,
    private readonly kept: KeptAnswers,
  ) {}

  /** @returns when to advance the run again; null if nothing is known of the call. */
  async execute(tx: Tx, run: LiveRun, step: InFlightStep, now: number): Promise<Again | null> {
    const purpose = purposeOf(step);
    const attempt = await this.runs.latestAttempt(tx, step.id, purpose);
    if (attempt === null || isFinishedAttempt(attempt)) return null;
    const kept = await this.kept.of(tx, {
      source: { type: 'run', id: run.id },
      step: step.id,
      attempt: attempt.number,
      idempotencyKey: idempotencyKeyOf(step.id, purpose),
    });
    if (kept === null) return null;
    if (kept.kind === 'under_way') {
      await this.runs.saveStep(tx, { ...step, leaseUntil: kept.until });
      await this.runs.save(tx, { ...run, nextAt: kept.until, updatedAt: now });
      return { when: 'at', at: kept.until };
    }
    const by = runExecutor(tx.tenantId);
    const answered = await this.answers.write(tx, run, step, attempt, { outcome: kept, by, now });
    await this.runs.save(tx, { ...answered.run, nextAt: now });
    return { when: 'now' };
  }
}
