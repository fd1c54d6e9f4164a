import type { AutonomyReader } from '#lib/autonomy';
import type { PersonId, PlanId, Tx } from '#lib/kernel';
import type { PlanRepository } from '#lib/plan';
import type { EnvironmentReader, TaskRepository } from '#lib/task';
import type { ToolRegistry } from '#lib/tool';
import type { SimulationRepository } from './simulation.ports.js';
import type { StartFacts, StartFactsReader } from './start-facts.js';

interface Sources {
  readonly autonomy: AutonomyReader;
  readonly tools: ToolRegistry;
  readonly tasks: Pick<TaskRepository, 'lock'>;
  readonly environments: EnvironmentReader;
  readonly plans: Pick<PlanRepository, 'find' | 'lock' | 'heldTools'>;
  readonly simulations: Pick<SimulationRepository, 'list'>;
  /** The accountable person of every agent. */
  readonly ownerId: PersonId;
}

/** Gathers from the fakes of the parts. */
export class FakeStartFacts implements StartFactsReader {
  constructor(private readonly sources: Sources) {}

  async hold(tx: Tx, planId: PlanId): Promise<StartFacts | null> {
    const { autonomy, tools, tasks, environments, plans, simulations, ownerId } = this.sources;
    const found = await plans.find(tx, planId);
    if (found === null) return null;
    const inForce = await autonomy.current(tx, { lock: 'share' });
    const task = await tasks.lock(tx, found.taskId);
    const plan = await plans.lock(tx, planId);
    const environment = task === null ? null : await environments.byId(tx, task.environmentId);
    if (task === null || plan === null || environment === null) throw new Error(`plan ${planId} has no task`);
    const { id, name, production, version } = environment;
    const held = await tools.getMany(tx, await plans.heldTools(tx, planId));
    const all = await simulations.list(tx, planId, { limit: Infinity, after: null });
    const active = all.find(({ state }) => state === 'pending' || state === 'running');
    return {
      now: await tx.now(),
      task,
      ownerId: task.submitter.kind === 'agent' ? ownerId : null,
      plan: { id: plan.id, state: plan.state, submitter: plan.submitter, expansion: plan.expansion },
      environment: { id, name, production, version },
      autonomy: inForce,
      tools: [...held.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
      active: active?.id ?? null,
    };
  }
}
