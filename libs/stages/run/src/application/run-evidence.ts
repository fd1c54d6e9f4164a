import type { Json } from '#lib/canonical';
import type { PlanId, Tx } from '#lib/kernel';
import { attemptDocument, runDocument } from '../domain/evidence-documents.js';
import { isEnded } from '../domain/run.js';
import { isFinishedAttempt } from '../domain/step-attempt.js';
import type { RunRepository } from './run.repository.js';

/** The runs and attempts of a plan that have ended, as evidence. */
export class RunEvidence {
  readonly section = 'run';

  constructor(private readonly runs: RunRepository) {}

  async collect(
    tx: Tx,
    planId: PlanId,
  ): Promise<readonly { readonly kind: 'run' | 'attempt'; readonly id: string; readonly document: Json }[]> {
    const documents: { readonly kind: 'run' | 'attempt'; readonly id: string; readonly document: Json }[] = [];
    // A plan has few runs: a canary and its promotion, or a cancelled run and its successor.
    for (const run of await this.runs.ofPlan(tx, planId)) {
      for (const attempt of await this.runs.attempts(tx, run.id)) {
        if (!isFinishedAttempt(attempt)) continue;
        documents.push({ kind: 'attempt', id: attempt.id, document: attemptDocument(attempt) });
      }
      if (!isEnded(run)) continue;
      const document = runDocument(run, await this.runs.steps(tx, run.id), await this.runs.healthResults(tx, run.id));
      documents.push({ kind: 'run', id: run.id, document });
    }
    return documents;
  }
}
