import type { AutonomyInForce, AutonomyReader } from '#lib/autonomy';
import type { ExpandedPlan } from '#lib/contracts';
import type { AgentId, CredentialId, PersonId, PlanId, TaskId, Tx } from '#lib/kernel';
import type { HaltReader } from '#lib/halt';
import { invocationsOf, planFacts, taskFacts, type Plan, type PlanPolicyFacts, type PlanRepository } from '#lib/plan';
import type { PolicyDecisionPoint } from '#lib/policy';
import type { EnvironmentReader, EnvironmentRecord, Submitter, Task, TaskRepository } from '#lib/task';
import type { ExecutorDirectory, ToolRegistry, ToolVersion } from '#lib/tool';
import type { CanaryHistory, PlanOfTask, PlanSubjects } from '../application/approval.ports.js';
import type { BoundSubject, PlanSubject, SubjectSimulation } from '../domain/approval-subject.js';
import { agentsIn } from '../domain/excluded-people.js';

/** The prediction that counts for a plan. */
export interface PlanSimulations {
  /** The latest that came to a result, stale or not, or else the latest there is. */
  counting(tx: Tx, planId: PlanId): Promise<SubjectSimulation | null>;
}

/** Who could speak through an agent since a moment: see libs/people/identity. */
export interface AnswerablePeople {
  answerable(tx: Tx, id: AgentId, since: number, credentialIds: readonly CredentialId[]): Promise<readonly PersonId[]>;
}

/** The earlier stages, and what stands beside them. */
export interface SubjectSources {
  readonly policy: Pick<PolicyDecisionPoint, 'lockBundleHead'>;
  readonly autonomy: AutonomyReader;
  readonly tools: ToolRegistry;
  readonly executors: ExecutorDirectory;
  readonly tasks: TaskRepository;
  readonly plans: PlanRepository;
  readonly simulations: PlanSimulations;
  readonly environments: EnvironmentReader;
  readonly agents: AnswerablePeople;
  readonly halts: HaltReader;
  readonly canaries: CanaryHistory;
}

/** As many as workers have under way at once, and more. */
const MOST_PLANS = 1_000;

/** Gathers what an approval of a plan is about from the earlier stages, in the order of locks. */
export class StagePlanSubjects implements PlanSubjects {
  private readonly names = new WeakMap<ExpandedPlan, Names>();
  private readonly facts = new WeakMap<ExpandedPlan, PlanPolicyFacts>();
  /** By tenant and plan, the latest used last. */
  private readonly namesByPlan = new Map<string, KnownRevision>();

  constructor(private readonly sources: SubjectSources) {}

  lock(tx: Tx, planId: PlanId): Promise<PlanSubject | null> {
    return this.gather(tx, planId, true);
  }

  read(tx: Tx, planId: PlanId): Promise<PlanSubject | null> {
    return this.gather(tx, planId, false);
  }

  async lockBound(tx: Tx, { planId, taskId, environmentId }: PlanOfTask): Promise<BoundSubject | null> {
    const { policy, autonomy, tools, tasks, plans, executors, environments, simulations } = this.sources;
    const revision = await this.namesOf(tx, planId);
    if (revision === null) return null;
    const share = { lock: 'share' } as const;
    // Sent together in the order of locks: the first statement of each takes its lock.
    const [, inForce, current, task, plan, registered, record, simulation] = await Promise.all([
      policy.lockBundleHead(tx),
      autonomy.current(tx, share),
      tools.resolveMany(tx, revision.tools, share),
      tasks.lock(tx, taskId),
      plans.lock(tx, planId),
      executors.resolveMany(tx, environmentId, revision.executors, share),
      environments.byId(tx, environmentId),
      simulations.counting(tx, planId),
    ]);
    if (task === undefined || plan?.expansion == null) return null;
    const environment = environmentOf(task, record);
    const expanded = plan.expansion.plan;
    const facts = await this.factsOf(tx, { ...plan, expansion: plan.expansion }, current);
    return {
      task,
      environment,
      plan: {
        id: plan.id,
        revision: plan.revision,
        state: plan.state,
        digest: plan.expansion.digest,
        expanded,
        submitter: plan.submitter,
      },
      simulation,
      registry: { tools: current, executors: registered },
      facts: { task: taskFacts(task), ...facts },
      autonomy: autonomyOf(inForce),
    };
  }

  /**
   * The names that a revision uses, and its task. Its content never changes, so they may be known from before: they say
   * what to lock, and what is decided comes from the revision as it is read under its lock.
   */
  private async namesOf(tx: Tx, planId: PlanId): Promise<KnownRevision | null> {
    const key = `${tx.tenantId}/${planId}`;
    let names = this.namesByPlan.get(key);
    if (names === undefined) {
      const plan = await this.sources.plans.find(tx, planId);
      if (plan?.expansion == null) return null;
      names = { ...this.revisionOf(plan.expansion.plan), taskId: plan.taskId };
    }
    this.namesByPlan.delete(key);
    this.namesByPlan.set(key, names);
    const [oldest] = this.namesByPlan.keys();
    if (this.namesByPlan.size > MOST_PLANS && oldest !== undefined) this.namesByPlan.delete(oldest);
    return names;
  }

  private revisionOf(expanded: ExpandedPlan): Names {
    const known = this.names.get(expanded);
    if (known !== undefined) return known;
    const invocations = invocationsOf(expanded);
    const names = {
      tools: [...new Set(invocations.map(({ tool }) => tool.name))],
      executors: [...new Set(invocations.map(({ executor }) => executor.name))],
    };
    this.names.set(expanded, names);
    return names;
  }

  /** The plan's facts for policy. Made once for a revision: neither it nor the tool versions that it holds change. */
  private async factsOf(
    tx: Tx,
    plan: Plan & { readonly expansion: NonNullable<Plan['expansion']> },
    current: ReadonlyMap<string, ToolVersion>,
  ): Promise<PlanPolicyFacts> {
    const expanded = plan.expansion.plan;
    const known = this.facts.get(expanded);
    if (known !== undefined) return known;
    const held = await this.heldVersions(tx, invocationsOf(expanded), current);
    const facts = planFacts({ id: plan.id, digest: plan.expansion.digest, expanded }, held);
    if (Object.isFrozen(expanded)) this.facts.set(expanded, facts);
    return facts;
  }

  private async gather(tx: Tx, planId: PlanId, locked: boolean): Promise<PlanSubject | null> {
    const { policy, autonomy, tools, tasks, plans } = this.sources;
    const revision = await this.namesOf(tx, planId);
    if (revision === null) return null;
    const share = locked ? ({ lock: 'share' } as const) : {};
    // Sent together in the order of locks.
    const [, inForce, current, task, plan] = await Promise.all([
      locked ? policy.lockBundleHead(tx) : null,
      autonomy.current(tx, share),
      tools.resolveMany(tx, revision.tools, share),
      locked ? tasks.lock(tx, revision.taskId) : tasks.find(tx, revision.taskId),
      locked ? plans.lock(tx, planId) : plans.find(tx, planId),
    ]);
    if (task === undefined || plan?.expansion == null) return null;
    return this.describe(tx, {
      task,
      plan: { ...plan, expansion: plan.expansion },
      current,
      share,
      autonomy: autonomyOf(inForce),
    });
  }

  private async describe(
    tx: Tx,
    found: {
      readonly task: Task;
      readonly plan: Plan & { readonly expansion: NonNullable<Plan['expansion']> };
      readonly current: ReadonlyMap<string, ToolVersion>;
      readonly share: { readonly lock?: 'share' };
      readonly autonomy: PlanSubject['autonomy'];
    },
  ): Promise<PlanSubject> {
    const { environments, executors, plans, simulations, halts, canaries } = this.sources;
    const { task, plan, current } = found;
    const expanded = plan.expansion.plan;
    const names = this.revisionOf(expanded);
    // None of these waits for another: their statements travel together, the lock on the executors first.
    const [registered, record, revisions, facts, simulation, promotion] = await Promise.all([
      executors.resolveMany(tx, task.environmentId, names.executors, found.share),
      environments.byId(tx, task.environmentId),
      plans.submittersOf(tx, task.id),
      this.factsOf(tx, plan, current),
      simulations.counting(tx, plan.id),
      canaries.canaryCompleted(tx, plan.id),
    ]);
    const environment = environmentOf(task, record);
    const otherRevisions = revisions.filter(({ planId }) => planId !== plan.id).map(({ submitter }) => submitter);
    const everybody = [task.submitter, plan.submitter, ...otherRevisions];
    const [answerable, active] = await Promise.all([
      this.answerableFor(tx, everybody, task.createdAt),
      halts.active(tx, {
        environmentId: environment.id,
        agentIds: agentsIn(everybody),
        tools: names.tools,
      }),
    ]);
    return {
      type: 'plan',
      task,
      environment,
      plan: {
        id: plan.id,
        revision: plan.revision,
        state: plan.state,
        digest: plan.expansion.digest,
        document: plan.document,
        expanded,
        submitter: plan.submitter,
      },
      otherRevisions,
      answerable,
      simulation,
      registry: { tools: current, executors: registered },
      facts: { task: taskFacts(task), ...facts },
      autonomy: found.autonomy,
      halts: active,
      promotion,
    };
  }

  /** The versions that the plan was expanded with: mostly those in force, and else read one by one. */
  private async heldVersions(
    tx: Tx,
    invocations: ReturnType<typeof invocationsOf>,
    current: ReadonlyMap<string, ToolVersion>,
  ): Promise<ToolVersion[]> {
    const held = new Map(invocations.map(({ tool }) => [tool.name, tool.version]));
    const versions: ToolVersion[] = [];
    for (const [name, version] of held) {
      const inForce = current.get(name);
      const found = inForce?.version === version ? inForce : await this.sources.tools.get(tx, name, version);
      if (found !== null) versions.push(found);
    }
    return versions;
  }

  private async answerableFor(
    tx: Tx,
    submitters: readonly Submitter[],
    since: number,
  ): Promise<ReadonlyMap<AgentId, readonly PersonId[]>> {
    const answerable = new Map<AgentId, readonly PersonId[]>();
    // One agent, seldom two: those that worked on one task.
    for (const agentId of agentsIn(submitters)) {
      const used = submitters.filter(({ id }) => id === agentId).map(({ credentialId }) => credentialId);
      answerable.set(agentId, await this.sources.agents.answerable(tx, agentId, since, used));
    }
    return answerable;
  }
}

/** The names that a plan uses, each once. */
interface Names {
  readonly tools: readonly string[];
  readonly executors: readonly string[];
}

interface KnownRevision extends Names {
  readonly taskId: TaskId;
}

/** The members of an environment that an approval binds and policy reads; a repository may return more. */
function environmentOf(task: Task, record: EnvironmentRecord | undefined): EnvironmentRecord {
  if (record === undefined) throw new Error(`the environment of task ${task.id} is gone`);
  return { id: record.id, name: record.name, production: record.production, version: record.version };
}

const autonomyOf = (inForce: AutonomyInForce | null): BoundSubject['autonomy'] => ({
  revisionId: inForce?.revisionId ?? null,
  facts: inForce?.document ?? null,
  document: inForce?.document ?? null,
  emergencyOverride: inForce?.document.emergency_override ?? null,
});
