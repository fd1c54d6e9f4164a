import type { PlanSubjects } from '#lib/approval';
import type { SimulationResult } from '#lib/formats';
import type { HaltReader } from '#lib/halt';
import {
  err,
  type Failure,
  notFound,
  ok,
  type PageRequest,
  type Result,
  type RunId,
  type TenantId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import type { DecisionLog, LoggedDecision } from '#lib/policy';
import type { SimulationRepository } from '#lib/simulation';
import type { EnvironmentReader } from '#lib/task';
import { buildRunView } from '../domain/build-run-view.js';
import { decideResume } from '../domain/decide-resume.js';
import type { HealthResult, Run, RunEvent } from '../domain/run.js';
import type { RunStep } from '../domain/run-step.js';
import type { StepAttempt } from '../domain/step-attempt.js';
import { haltAhead } from './halt-ahead.js';
import type { RunFilter, RunRepository } from './run.repository.js';

/** A run with everything that says why it is where it is. */
export interface ExplainedRun {
  readonly run: Run;
  readonly environmentName: string;
  readonly steps: readonly RunStep[];
  readonly attempts: readonly StepAttempt[];
  readonly health: readonly HealthResult[];
  /** The decision at its start. */
  readonly decision: LoggedDecision | null;
  /** The prediction; null if the plan was not simulated. */
  readonly predicted: SimulationResult | null;
  /** The refusal of a person who resumes it now. Null if there is none, and for a run that is not paused. */
  readonly resumeRefused: Failure | null;
}

interface ReadRunsDeps {
  readonly uow: UnitOfWork;
  readonly runs: RunRepository;
  readonly environments: Pick<EnvironmentReader, 'byId'>;
  readonly decisions: Pick<DecisionLog, 'find'>;
  readonly simulations: Pick<SimulationRepository, 'find'>;
  readonly subjects: Pick<PlanSubjects, 'read'>;
  readonly halts: Pick<HaltReader, 'active' | 'find'>;
}

/** Reads runs. */
export class ReadRuns {
  constructor(private readonly deps: ReadRunsDeps) {}

  /** `resource.not_found`. */
  get(tenantId: TenantId, id: RunId): Promise<Result<ExplainedRun>> {
    return this.deps.uow.run(tenantId, async (tx) => {
      const run = await this.deps.runs.find(tx, id);
      if (run === null) return err(notFound('run'));
      const simulation = run.simulationId === null ? null : await this.deps.simulations.find(tx, run.simulationId);
      const steps = await this.deps.runs.steps(tx, id);
      const health = await this.deps.runs.healthResults(tx, id);
      return ok({
        run,
        environmentName: (await this.deps.environments.byId(tx, run.environmentId))?.name ?? '',
        steps,
        attempts: await this.deps.runs.attempts(tx, id),
        health,
        decision: await this.deps.decisions.find(tx, run.decisionId),
        predicted: simulation !== null && 'output' in simulation ? simulation.output.value : null,
        resumeRefused: await this.#resumeRefused(tx, run, steps, health),
      });
    });
  }

  async #resumeRefused(
    tx: Tx,
    run: Run,
    steps: readonly RunStep[],
    health: readonly HealthResult[],
  ): Promise<Failure | null> {
    if (run.state !== 'paused') return null;
    const subject = await this.deps.subjects.read(tx, run.planId);
    if (subject === null) return null;
    const resume = decideResume(buildRunView(run, subject.plan.expanded, steps, health, 1));
    if (!resume.ok) return resume.error;
    return resume.value.event === 'resume' ? haltAhead(tx, this.deps.halts, run, subject, steps) : null;
  }

  /** Newest first. */
  list(tenantId: TenantId, filter: RunFilter, page: PageRequest): Promise<readonly Run[]> {
    return this.deps.uow.run(tenantId, (tx) => this.deps.runs.list(tx, filter, page));
  }

  /** In order, after `afterSeq`. `ended` says that no more will come. `resource.not_found`. */
  events(
    tenantId: TenantId,
    id: RunId,
    afterSeq: number,
    limit: number,
  ): Promise<Result<{ readonly events: readonly RunEvent[]; readonly ended: boolean }>> {
    return this.deps.uow.run(tenantId, async (tx) => {
      const run = await this.deps.runs.find(tx, id);
      if (run === null) return err(notFound('run'));
      const events = await this.deps.runs.events(tx, id, afterSeq, limit);
      const last = events.at(-1)?.seq ?? afterSeq;
      return ok({ events, ended: run.finishedAt !== null && last >= run.eventCount });
    });
  }
}
