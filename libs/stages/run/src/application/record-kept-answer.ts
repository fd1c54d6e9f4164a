import type { RecordsAnswers, SentCallName } from '#lib/dispatch';
import type { RunId, Tx } from '#lib/kernel';
import type { RunStepId } from '../domain/ids.js';
import { isEnded } from '../domain/run.js';
import { isInFlight, purposeOf } from '../domain/run-step.js';
import type { RecoverAnswer } from './recover-answer.js';
import type { RunRepository } from './run.repository.js';

/** Records the answer to a step that its worker did not. The run goes on before the lease of the step ends (T27). */
export class RecordKeptAnswer implements RecordsAnswers {
  constructor(
    private readonly runs: RunRepository,
    private readonly recovering: RecoverAnswer,
  ) {}

  async recordKept(tx: Tx, { source, step: stepId, attempt }: SentCallName): Promise<void> {
    // The source of a step's call is its run.
    const run = await this.runs.lock(tx, source.id as RunId);
    if (run === null || isEnded(run)) return;
    // The name of the call has the step of the run.
    const step = await this.runs.findStep(tx, stepId as RunStepId);
    if (step === null || !isInFlight(step)) return;
    const latest = await this.runs.latestAttempt(tx, step.id, purposeOf(step));
    if (latest?.number === attempt) await this.recovering.execute(tx, run, step, await tx.now());
  }
}
