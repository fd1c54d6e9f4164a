import type { AutonomyReader } from '#lib/autonomy';
import type { HaltReader } from '#lib/halt';
import type { AgentId, PersonId, PlanId, Tx } from '#lib/kernel';
import { invocationsOf } from '#lib/plan';
import type { EnvironmentReader, TaskRepository } from '#lib/task';
import type { ExecutorDirectory, ToolRegistry, ToolVersion } from '#lib/tool';
import type { FakePlanRepository } from '../../../plan/src/application/fake-plan.repository.js';
import { planKey } from '../domain/approval-request.js';
import { agentsIn } from '../domain/excluded-people.js';
import type { ApprovalRepository, PlanSimulations } from './approval.ports.js';
import type { SubjectFacts, SubjectFactsReader, SubjectOf } from './subject-facts.js';

interface Sources {
  readonly autonomy: AutonomyReader;
  readonly tools: ToolRegistry;
  readonly executors: ExecutorDirectory;
  readonly tasks: Pick<TaskRepository, 'lock'>;
  readonly plans: Pick<FakePlanRepository, 'lock' | 'submittersOf'>;
  readonly simulations: PlanSimulations;
  readonly environments: EnvironmentReader;
  readonly halts: HaltReader;
  /** Tells whether the canary phases of a plan have run. */
  readonly canaries: { canaryCompleted(tx: Tx, planId: PlanId): Promise<boolean> };
  readonly requests: Pick<ApprovalRepository, 'lock' | 'lockLive' | 'reviews'>;
  /** The accountable person of every agent. */
  readonly ownerId: PersonId;
}

/** Gathers from the fakes of the parts. No request is claimed here. */
export class FakeSubjectFacts implements SubjectFactsReader {
  constructor(private readonly sources: Sources) {}

  async hold(tx: Tx, of: SubjectOf): Promise<SubjectFacts | null> {
    const { autonomy, tools, executors, tasks, plans, environments, requests } = this.sources;
    const asked = 'requestId' in of ? await requests.lock(tx, of.requestId) : null;
    const planId = 'planId' in of ? of.planId : asked?.subject.type === 'plan' ? asked.subject.id : undefined;
    const plan = planId === undefined ? null : await plans.lock(tx, planId);
    if (plan?.expansion == null) return null;
    const task = await tasks.lock(tx, plan.taskId);
    const environment = task === null ? null : await environments.byId(tx, task.environmentId);
    if (task === null || environment === null) throw new Error(`plan ${plan.id} has no task`);
    const invocations = invocationsOf(plan.expansion.plan);
    const toolNames = invocations.map(({ tool }) => tool.name);
    const heldTools: ToolVersion[] = [];
    for (const { tool } of invocations) {
      const found = await tools.get(tx, tool.name, tool.version);
      if (found !== null) heldTools.push(found);
    }
    const revisions = await plans.submittersOf(tx, task.id);
    const otherRevisions = revisions.filter((other) => other.planId !== plan.id).map(({ submitter }) => submitter);
    const agentIds = agentsIn([task.submitter, plan.submitter, ...otherRevisions]);
    const request = asked ?? (await requests.lockLive(tx, planKey(plan.id)));
    const reviews = request === null ? [] : await requests.reviews(tx, request.id);
    return {
      now: await tx.now(),
      task,
      plan: { ...plan, expansion: plan.expansion },
      otherRevisions,
      environment,
      autonomy: await autonomy.current(tx, { lock: 'share' }),
      tools: await tools.resolveMany(tx, toolNames, { lock: 'share' }),
      heldTools,
      executors: await executors.resolveMany(
        tx,
        environment.id,
        invocations.map(({ executor }) => executor.name),
        { lock: 'share' },
      ),
      simulation: await this.sources.simulations.counting(tx, plan.id),
      answerable: new Map<AgentId, readonly PersonId[]>(agentIds.map((id) => [id, [this.sources.ownerId]])),
      halts: await this.sources.halts.active(tx, { environmentId: environment.id, agentIds, tools: toolNames }),
      promotion: await this.sources.canaries.canaryCompleted(tx, plan.id),
      request,
      claim: null,
      reviewedBy: reviews.map(({ personId }) => personId),
      reviews: () => Promise.resolve(reviews),
    };
  }

  read(tx: Tx, of: SubjectOf): Promise<SubjectFacts | null> {
    return this.hold(tx, of);
  }
}
