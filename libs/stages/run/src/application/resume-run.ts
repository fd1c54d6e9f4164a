import type { HaltReader } from '#lib/halt';
import {
  err,
  type JobQueue,
  newId,
  notFound,
  ok,
  type PersonPrincipal,
  type Result,
  type RunId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { buildRunView } from '../domain/build-run-view.js';
import { decideResume, type Resume } from '../domain/decide-resume.js';
import type { RunStepId } from '../domain/ids.js';
import { type PausedRun, requireState, type Run } from '../domain/run.js';
import { type PendingStep, requireStepState, type RunStep } from '../domain/run-step.js';
import { putBack, UNTOUCHED } from '../domain/step-changes.js';
import { haltAhead } from './halt-ahead.js';
import type { LockRunContext } from './lock-run-context.js';
import type { MoveRun } from './move-run.js';
import type { RunRepository } from './run.repository.js';

/**
 * Lets a paused run go on. Only a person may: each pause asks for a look. Policy is asked again before the next step, so a rule
 * that still forbids it pauses the run again. A halt of any remaining step refuses the resumption. A halt at the same moment
 * finds the run executing, and asks it to pause.
 *
 * Failures: `resource.not_found`, `run.wrong_state`, `run.effect_unknown`, `run.already_requested`, `run.step_failed`,
 * `halt.active`.
 */
export class ResumeRun {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly runs: RunRepository,
    private readonly context: LockRunContext,
    private readonly moves: MoveRun,
    private readonly halts: HaltReader,
    private readonly jobs: JobQueue,
  ) {}

  execute(principal: PersonPrincipal, runId: RunId, note: string | null): Promise<Result<Run>> {
    return this.uow.run(principal.tenantId, async (tx) => {
      const found = await this.runs.find(tx, runId);
      if (found === null) return err(notFound('run'));
      const { context, run } = await this.context.execute(tx, found);
      const steps = await this.runs.steps(tx, runId);
      const view = buildRunView(run, context.subject.plan.expanded, steps, await this.runs.healthResults(tx, runId), 1);
      const resume = decideResume(view);
      if (!resume.ok) return resume;
      if (resume.value.event === 'resume') {
        const halted = await haltAhead(tx, this.halts, run, context.subject, steps);
        if (halted !== null) return err(halted);
      }
      const prepared = await this.#prepare(tx, requireState(run, 'paused'), steps, resume.value);
      const move = { at: await tx.now(), by: principal, facts: { note, retried_steps: resume.value.retry } };
      const moved = await this.moves.goOn(tx, prepared, move);
      await this.jobs.enqueue(tx, 'run.advance', runId);
      return ok(moved);
    });
  }

  async #prepare(tx: Tx, run: PausedRun, steps: readonly RunStep[], { retry, recheck }: Resume): Promise<PausedRun> {
    for (const step of steps.filter((candidate) => retry.includes(candidate.id))) {
      await this.runs.saveStep(tx, putBack(requireStepState(step, 'failed')));
    }
    if (recheck === null) return run;
    const healthRound = run.healthRound + 1;
    await this.runs.insertSteps(tx, nextRound(steps, recheck, healthRound));
    return { ...run, healthRound };
  }
}

/** The batch's health checks once more, as they were first. */
function nextRound(
  steps: readonly RunStep[],
  batch: NonNullable<Resume['recheck']>,
  healthRound: number,
): readonly PendingStep[] {
  return steps
    .filter((step) => step.kind === 'health_check' && step.healthRound === 1)
    .filter((step) => step.phaseIndex === batch.phaseIndex && step.batchIndex === batch.batchIndex)
    .map((step) => ({ ...step, ...UNTOUCHED, id: newId<RunStepId>(), healthRound }));
}
