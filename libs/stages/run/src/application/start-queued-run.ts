import type { Tx } from '#lib/kernel';
import { stateInWords } from '#lib/words';
import { wholeEnvironment } from '#lib/plan';
import type { SimulationFreshness, SimulationRepository } from '#lib/simulation';
import type { TaskLifecycle } from '#lib/task';
import { inRun } from '../domain/in-run.js';
import { stepToolsOf, targetsToLock } from '../domain/plan-steps.js';
import { started } from '../domain/run-changes.js';
import type { QueuedRun, RunReason, WaitingOn } from '../domain/run.js';
import type { MoveRun } from './move-run.js';
import { type RunJournal, runExecutor } from './run-journal.js';
import type { RunContext } from './run.ports.js';
import type { RunRepository } from './run.repository.js';
import { againAt, AT_ONCE, endedAs, type Turn } from './turn.js';

/** How soon a run that waits for a target looks again by itself. It is also woken when one is released. */
const LOOK_AGAIN_MS = 5_000;

/** Lets a queued run begin. It takes all of its targets, or waits for the run that holds one of them and names it. */
export class StartQueuedRun {
  constructor(
    private readonly runs: RunRepository,
    private readonly tasks: TaskLifecycle,
    private readonly simulations: Pick<SimulationRepository, 'find'>,
    private readonly freshness: SimulationFreshness,
    private readonly moves: MoveRun,
    private readonly journal: RunJournal,
  ) {}

  async execute(tx: Tx, run: QueuedRun, context: RunContext, now: number): Promise<Turn> {
    const { task, plan, facts, environment } = context.subject;
    if (task.state !== 'planned') {
      const message = `The task is ${stateInWords(task.state)} by now.`;
      return this.#fail(tx, run, { code: 'run.task_not_planned', message }, context, now);
    }
    const obstacle = await this.#obstacle(tx, run, context);
    if (obstacle !== null) return this.#fail(tx, run, obstacle, context, now);
    const targets = targetsToLock(plan.expanded, run.phases, stepToolsOf(facts.tools));
    const waitingOn = await this.runs.acquireTargets(tx, run, {
      targets,
      whole: wholeEnvironment(environment.name),
      at: now,
    });
    if (waitingOn !== null) return this.#wait(tx, run, waitingOn, now);

    await this.tasks.transition(tx, task, 'start', {
      principal: runExecutor(tx.tenantId),
      at: now,
      within: inRun(run),
    });
    await this.freshness.outdateSimulations(tx, run.environmentId, targets, {
      code: 'simulation.targets_touched',
      message: `Run ${run.id} has begun to touch its targets.`,
      principal: runExecutor(tx.tenantId),
      runId: run.id,
      at: now,
    });
    await this.moves.execute(tx, 'start', started(run, now), { at: now, facts: { targets, phases: run.phases } });
    return AT_ONCE;
  }

  async #fail(tx: Tx, run: QueuedRun, reason: RunReason, context: RunContext, now: number): Promise<Turn> {
    return endedAs(await this.moves.end(tx, { event: 'fail', run, reason }, context, { at: now }));
  }

  async #wait(tx: Tx, run: QueuedRun, waitingOn: WaitingOn, now: number): Promise<Turn> {
    const at = now + LOOK_AGAIN_MS;
    const same = run.waitingOn?.runId === waitingOn.runId && run.waitingOn.target === waitingOn.target;
    const next = same
      ? run
      : await this.journal.recordOwn(tx, run, {
          type: 'run.waiting_for_target',
          data: { target: waitingOn.target, held_by_run: waitingOn.runId },
          at: now,
        });
    await this.runs.save(tx, { ...next, waitingOn, nextAt: at });
    return againAt(at);
  }

  /** An event during the wait in the queue that keeps the run from starting. */
  async #obstacle(tx: Tx, run: QueuedRun, { subject }: RunContext): Promise<RunReason | null> {
    if (subject.plan.state !== 'validated') {
      return { code: 'run.plan_not_live', message: `The plan is ${stateInWords(subject.plan.state)} by now.` };
    }
    // Break-glass stands above simulation: the prediction is compared afterwards, and delays nothing.
    if (run.authority.kind === 'break_glass') return null;
    const simulation = run.simulationId === null ? null : await this.simulations.find(tx, run.simulationId);
    if (simulation?.state === 'stale') {
      return {
        code: 'run.simulation_stale',
        message: `${whyStale(simulation.staleReason.code)} Simulate the plan and ask for approval again.`,
        details: { simulation_id: simulation.id, code: simulation.staleReason.code },
      };
    }
    return null;
  }
}

/** A prediction is outdated by a run that touches its targets, or by its age. */
const whyStale = (code: string): string =>
  code === 'simulation.targets_touched'
    ? 'Another run has touched the targets since the plan was simulated.'
    : 'The prediction has become too old while the run was queued.';
