import type { AutonomyReader } from '#lib/autonomy';
import type { PersonId, TaskId, Tx } from '#lib/kernel';
import type { EnvironmentReader, TaskRepository } from '#lib/task';
import type { ExecutorDirectory, ToolRegistry } from '#lib/tool';
import type { FakePlanRepository } from './fake-plan.repository.js';
import type { SubmissionFacts, SubmissionFactsReader } from './submission-facts.js';

interface Sources {
  readonly autonomy: AutonomyReader;
  readonly tools: ToolRegistry;
  readonly executors: ExecutorDirectory;
  readonly tasks: Pick<TaskRepository, 'lock'>;
  readonly environments: EnvironmentReader;
  readonly plans: Pick<FakePlanRepository, 'lockLive' | 'submittersOf'>;
  /** The accountable person of every agent. */
  readonly ownerId: PersonId;
}

/** Gathers from the fakes of the parts. */
export class FakeSubmissionFacts implements SubmissionFactsReader {
  constructor(private readonly sources: Sources) {}

  async hold(tx: Tx, taskId: TaskId, names: readonly string[]): Promise<SubmissionFacts | null> {
    const { autonomy, tasks, environments, plans, ownerId } = this.sources;
    const inForce = await autonomy.current(tx, { lock: 'share' });
    const tools = await this.sources.tools.resolveMany(tx, names, { lock: 'share' });
    const task = await tasks.lock(tx, taskId);
    if (task === null) return null;
    const environment = await environments.byId(tx, task.environmentId);
    if (environment === null) throw new Error(`task ${task.id} has no environment`);
    const { id, name, production, version } = environment;
    const live = await plans.lockLive(tx, taskId);
    return {
      now: await tx.now(),
      task,
      ownerId: task.submitter.kind === 'agent' ? ownerId : null,
      environment: { id, name, production, version },
      autonomy: inForce,
      tools,
      executors: await this.sources.executors.resolveMany(
        tx,
        id,
        [...tools.values()].map(({ definition }) => definition.executor),
      ),
      revision: (await plans.submittersOf(tx, taskId)).length + 1,
      live,
    };
  }
}
