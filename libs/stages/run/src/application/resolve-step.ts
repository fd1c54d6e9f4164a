import {
  actorOf,
  err,
  type JobQueue,
  notFound,
  ok,
  type PersonPrincipal,
  type Result,
  type RunId,
  type UnitOfWork,
} from '#lib/kernel';
import type { RunStepId } from '../domain/ids.js';
import { RUN_STATE_WORDS } from '../domain/run-transitions.js';
import type { PausedRun, Run, RunReason } from '../domain/run.js';
import type { RunStep } from '../domain/run-step.js';
import { type Resolution, resolved } from '../domain/step-changes.js';
import { stepFacts } from '../domain/step-reasons.js';
import type { RunJournal } from './run-journal.js';
import type { RunRepository } from './run.repository.js';

/**
 * Records a person's finding about an unknown step. The run stays paused: a person decides separately to resume it.
 *
 * Failures: `resource.not_found`, `run.wrong_state`, `run_step.not_unknown`, `run_step.retry_needs_did_not`.
 */
export class ResolveStep {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly runs: RunRepository,
    private readonly journal: RunJournal,
    private readonly jobs: JobQueue,
  ) {}

  execute(
    principal: PersonPrincipal,
    runId: RunId,
    stepId: RunStepId,
    resolution: { readonly effect: Resolution; readonly note: string },
  ): Promise<Result<Run>> {
    return this.uow.run(principal.tenantId, async (tx) => {
      const run = await this.runs.lock(tx, runId);
      const steps = await this.runs.steps(tx, runId);
      const step = steps.find((candidate) => candidate.id === stepId);
      if (run === null || step === undefined) return err(notFound('step of a run'));
      if (run.state !== 'paused') {
        return err({
          kind: 'conflict',
          code: 'run.wrong_state',
          message: `Steps are resolved while their run is paused, and this one ${RUN_STATE_WORDS[run.state]}.`,
          action: run.state === 'executing' ? 'Wait until it has paused.' : 'Nothing is left to do.',
          details: { state: run.state },
        });
      }
      const now = await tx.now();
      const changes = resolved(step, resolution.effect);
      if (!changes.ok) return changes;
      for (const change of changes.value) await this.runs.saveStep(tx, change);
      const next = changes.value.at(-1) ?? step;
      const recorded = await this.journal.record(tx, run, {
        type: 'run.step_resolved',
        actor: actorOf(principal),
        data: {
          ...stepFacts(next),
          effect: resolution.effect,
          of: step.unknownOf,
          note: resolution.note,
          state: next.state,
        },
        at: now,
      });
      const saved: PausedRun = {
        ...recorded,
        reason: reasonAfter(run.reason, steps, next),
        updatedAt: now,
        nextAt: run.requested === null ? null : now,
      };
      await this.runs.save(tx, saved);
      if (run.requested !== null) await this.jobs.enqueue(tx, 'run.advance', runId);
      return ok(saved);
    });
  }
}

/** The reason of the pause. It asks for a resolution only while a step is unknown. */
function reasonAfter(reason: RunReason, steps: readonly RunStep[], resolvedStep: RunStep): RunReason {
  const unknown = steps.some(({ id, state }) => state === 'unknown' && id !== resolvedStep.id);
  if (unknown || reason.code !== 'run.effect_unknown') return reason;
  return {
    code: 'run.effect_resolved',
    message: `The effect of "${resolvedStep.stepId}" is known now: a person resumes the run, rolls it back or cancels it.`,
    details: stepFacts(resolvedStep),
  };
}
