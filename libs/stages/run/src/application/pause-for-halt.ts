import type { InFlightCall, InFlightReader, HaltTarget, RunPauser } from '#lib/halt';
import { unlessMalformed } from '#lib/database';
import { actorOf, type HaltId, type JobQueue, type RunId, type Tx, toTimestamp } from '#lib/kernel';
import { asked } from '../domain/run-changes.js';
import { type RunJournal, runExecutor } from './run-journal.js';
import type { RunRepository } from './run.repository.js';

/**
 * Applies a halt to runs (T35). Runs that go forward are asked to pause; dispatched calls are listed, and their grants revoked.
 * No further call is dispatched after the halt's commit, since policy is given the halt before every step. A call that was
 * dispatched before may leave within a second after it. A rollback goes on. A run with an unreadable row is passed
 * over. Its turns fail, so nothing of it leaves either.
 */
export class PauseForHalt implements RunPauser, InFlightReader {
  constructor(
    private readonly runs: RunRepository,
    private readonly journal: RunJournal,
    private readonly jobs: JobQueue,
  ) {}

  async requestPause(
    tx: Tx,
    target: HaltTarget,
    halt: { readonly id: HaltId; readonly reason: string },
  ): Promise<readonly RunId[]> {
    const pausing: RunId[] = [];
    for (const id of await this.runs.liveRuns(tx, target)) {
      const run = await unlessMalformed(this.runs.lock(tx, id));
      if (run?.state !== 'executing') continue;
      pausing.push(id);
      if (run.requested !== null) continue;
      const now = await tx.now();
      const actor = actorOf(runExecutor(tx.tenantId));
      const recorded = await this.journal.record(tx, run, {
        type: 'run.pause_requested',
        actor,
        data: { halt_id: halt.id, note: halt.reason },
        at: now,
      });
      const reason = { code: 'run.halted', message: halt.reason, details: { halt_id: halt.id } };
      await this.runs.save(tx, asked(recorded, { requested: 'pause', requestedBy: { actor, reason } }, now));
      await this.jobs.enqueue(tx, 'run.advance', id);
    }
    return pausing;
  }

  async list(tx: Tx, target: HaltTarget): Promise<readonly InFlightCall[]> {
    const inFlight = await this.runs.inFlight(tx, target);
    return inFlight.map((step) => ({
      run_id: step.runId,
      step_id: step.stepId,
      attempt: step.attempt,
      tool: step.tool,
      targets: [...step.targets],
      dispatched_at: toTimestamp(step.dispatchedAt),
      state: step.state,
    }));
  }
}
