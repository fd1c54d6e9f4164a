import type { AutonomyInForce, AutonomyReader } from '#lib/autonomy';
import type { ExpandedPlan } from '#lib/contracts';
import type { ApprovalRequestId, PlanId, Tx } from '#lib/kernel';
import {
  invocationsOf,
  planFacts,
  taskFacts,
  type Expansion,
  type PlanPolicyFacts,
  type PlanRepository,
} from '#lib/plan';
import type { PolicyDecisionPoint } from '#lib/policy';
import type { EnvironmentReader, EnvironmentRecord, Task, TaskRepository } from '#lib/task';
import type { ExecutorDirectory, ToolRegistry, ToolVersion } from '#lib/tool';
import type {
  HeldRequest,
  HeldSubject,
  PlanOfTask,
  PlanSimulations,
  PlanSubjects,
} from '../application/approval.ports.js';
import type { SubjectFacts, SubjectFactsReader, SubjectOf } from '../application/subject-facts.js';
import type { BoundSubject, PlanSubject } from '../domain/approval-subject.js';

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
  readonly facts: SubjectFactsReader;
}

/** As many as workers have under way at once, and more. */
const MOST_PLANS = 1_000;

/** Gathers what an approval of a plan is about from the earlier stages, in the order of locks. */
export class StagePlanSubjects implements PlanSubjects {
  private readonly names = new WeakMap<ExpandedPlan, Names>();
  private readonly facts = new WeakMap<ExpandedPlan, PlanPolicyFacts>();
  /** By tenant and plan, the latest used last. */
  private readonly namesByPlan = new Map<string, Names>();

  constructor(private readonly sources: SubjectSources) {}

  hold(tx: Tx, planId: PlanId): Promise<HeldSubject | null> {
    return this.held(tx, { planId });
  }

  async holdRequest(tx: Tx, requestId: ApprovalRequestId): Promise<HeldRequest | null> {
    const held = await this.held(tx, { requestId });
    return held?.request == null ? null : { ...held, request: held.request };
  }

  async read(tx: Tx, planId: PlanId): Promise<PlanSubject | null> {
    const found = await this.sources.facts.read(tx, { planId });
    return found === null ? null : this.subjectOf(found);
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
    const facts = await this.factsOf(plan.id, plan.expansion, async (name, version) => {
      const inForce = current.get(name);
      return inForce?.version === version ? inForce : tools.get(tx, name, version);
    });
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
   * The names that a revision uses. Its content never changes, so they may be known from before: they say
   * what to lock, and what is decided comes from the revision as it is read under its lock.
   */
  private async namesOf(tx: Tx, planId: PlanId): Promise<Names | null> {
    const key = `${tx.tenantId}/${planId}`;
    let names = this.namesByPlan.get(key);
    if (names === undefined) {
      const plan = await this.sources.plans.find(tx, planId);
      if (plan?.expansion == null) return null;
      names = this.revisionOf(plan.expansion.plan);
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
    id: PlanId,
    { digest, plan: expanded }: Expansion,
    read: ReadToolVersion,
  ): Promise<PlanPolicyFacts> {
    const known = this.facts.get(expanded);
    if (known !== undefined) return known;
    const held = new Map(invocationsOf(expanded).map(({ tool }) => [tool.name, tool.version]));
    const versions: ToolVersion[] = [];
    for (const [name, version] of held) {
      const found = await read(name, version);
      if (found !== null) versions.push(found);
    }
    const facts = planFacts({ id, digest, expanded }, versions);
    if (Object.isFrozen(expanded)) this.facts.set(expanded, facts);
    return facts;
  }

  private async subjectOf(found: SubjectFacts): Promise<PlanSubject> {
    const { task, plan, heldTools, autonomy } = found;
    const { id, revision, state, document, expansion, submitter } = plan;
    const facts = await this.factsOf(id, expansion, (name, version) =>
      Promise.resolve(heldTools.find((tool) => tool.name === name && tool.version === version) ?? null),
    );
    return {
      type: 'plan',
      task,
      environment: environmentOf(task, found.environment),
      plan: { id, revision, state, digest: expansion.digest, document, expanded: expansion.plan, submitter },
      otherRevisions: found.otherRevisions,
      answerable: found.answerable,
      simulation: found.simulation,
      registry: { tools: found.tools, executors: found.executors },
      facts: { task: taskFacts(task), ...facts },
      autonomy: autonomyOf(autonomy),
      halts: found.halts,
      promotion: found.promotion,
    };
  }

  private async held(tx: Tx, of: SubjectOf): Promise<HeldSubject | null> {
    // Sent together, the bundle's lock first.
    const [, found] = await Promise.all([this.sources.policy.lockBundleHead(tx), this.sources.facts.hold(tx, of)]);
    if (found === null) return null;
    const { request, claim, now, reviewedBy } = found;
    return { subject: await this.subjectOf(found), request, claim, now, reviewedBy, reviews: () => found.reviews() };
  }
}

/** The names that a plan uses, each once. */
interface Names {
  readonly tools: readonly string[];
  readonly executors: readonly string[];
}

/** Reads a tool version that the plan was expanded with. */
type ReadToolVersion = (name: string, version: number) => Promise<ToolVersion | null>;

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
