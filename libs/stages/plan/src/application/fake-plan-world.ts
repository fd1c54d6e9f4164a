import { type PlanDocument, planDocumentSchema, type TaskState } from '#lib/formats';
import type { AuditEvent, PlanId, Principal, Result, TaskId, Tx } from '#lib/kernel';
import { createTasks, type Task } from '#lib/task';
import type { ToolVersion } from '#lib/tool';
import { FakeAuditSink } from '../../../../foundation/kernel/src/fake-ports.js';
import { FakeSecretNames } from '../../../../registry/tool/src/application/fake-secret-names.js';
import {
  definitionText,
  sampleExecutor,
  sampleRollout,
  sampleTool,
} from '../../../../registry/tool/src/application/fake-tool.js';
import { fakePolicy } from '../../../../rules/policy/src/fake-policy.js';
import { keepTask, sampleTask } from '../../../task/src/application/fake-task.js';
import { conditionGrammar } from '../domain/parse-condition.js';
import { createPlans, type Plans } from '../create-plans.js';
import type { Plan } from '../domain/plan.js';
import { FakePlanRecords } from './fake-plan-records.js';
import { FakeSubmissionFacts } from './fake-submission-facts.js';
import type { PlanSuperseded, PlanSupersededListener } from './plan.ports.js';
import type { SubmittedPlan } from './submit-plan.js';

/** A canary on the first server, then the others in batches, with health checks: policy refuses none of it. */
export function rolloutDocument(
  image = 'web-2026.11',
  targets: readonly string[] = ['web-1', 'web-2', 'web-3'],
): PlanDocument {
  const phase = (name: string, canary: boolean, names: readonly string[]): object => ({
    name,
    canary,
    targets: names,
    batch_percent: 20,
    health_checks: [{ name: 'web', tool: 'look', arguments: { targets: { $batch: 'targets' } } }],
    rollback_if: 'web.error_rate > 0.05',
    steps: [{ id: `roll-${name}`, tool: 'rollout', arguments: { targets: { $batch: 'targets' }, image } }],
  });
  return planDocumentSchema.parse({
    phases: [phase('canary', true, targets.slice(0, 1)), phase('rest', false, targets.slice(1))],
  });
}

/** Hears of plans that are live no more. A test sets the listener's own work. */
class FakeListener implements PlanSupersededListener {
  readonly heard: PlanSuperseded[] = [];
  work = (): Promise<void> => Promise.resolve();

  planSuperseded(_tx: Tx, event: PlanSuperseded): Promise<void> {
    this.heard.push(event);
    return this.work();
  }
}

/** The use cases of plans over fakes and the real policies. The clock stands until the test moves it. */
export class FakePlanWorld extends FakePlanRecords {
  readonly tenant = this.world.home;
  readonly audit = new FakeAuditSink(this.uow);
  readonly policies = fakePolicy(this.uow);
  readonly decisions = this.policies.decisions;
  readonly secrets = new FakeSecretNames(this.uow);
  readonly listener = new FakeListener();
  readonly rollout = sampleRollout();
  readonly look = sampleTool('look', { identity_fields: ['/targets'] });
  readonly fleet = sampleExecutor(this.tenant.production);
  readonly tasking = createTasks({
    ...{ uow: this.uow, tasks: this.tasks, audit: this.audit, environments: this.environments },
    conditions: conditionGrammar,
    agents: { find: () => Promise.resolve({ ownerId: this.ownerId }) },
    cancelled: [{ taskCancelled: (...event) => this.planning.withdrawCancelledPlan.taskCancelled(...event) }],
  });
  readonly access = this.tasking.access;
  readonly facts = new FakeSubmissionFacts(this);
  readonly policy = this.policies.decisionPoint;
  readonly planning: Plans = createPlans({
    ...{ uow: this.uow, audit: this.audit, task: this.tasking, policy: this.policies, superseded: [this.listener] },
    rows: { plans: this.plans, facts: this.facts },
    tool: { tools: this.tools, executors: this.executors, secretNames: this.secrets },
  });
  readonly resolver = this.planning.resolver;

  static open(): Promise<FakePlanWorld> {
    return new FakePlanWorld().founded();
  }

  /** Registers two tools and their executor in production, and puts a document in force by which agents execute alone. */
  async founded(): Promise<this> {
    await this.register(this.rollout, this.look);
    await this.inTx(async (tx) => {
      const { production, admin } = this.tenant;
      await this.executors.save(tx, production.id, this.fleet, admin.personId, 0);
      await this.putAutonomy(tx, { autonomy: { mode: 'full_auto' } });
    });
    return this;
  }

  inTx<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.uow.run(this.tenant.tenantId, work);
  }

  /** Adds versions of tools. */
  register(...tools: readonly ToolVersion[]): Promise<void> {
    return this.inTx(async (tx) => {
      for (const tool of tools)
        await this.tools.addVersion(tx, tool, definitionText(tool.definition), this.tenant.admin.personId, 0);
    });
  }

  /** A task of the agent, or of another submitter. */
  task(state: TaskState = 'created', by: Principal = this.tenant.agent): Promise<Task> {
    return this.inTx((tx) => keepTask(tx, this.tasks, sampleTask(this.tenant, { by }), state));
  }

  submit(
    taskId: TaskId,
    document: PlanDocument = rolloutDocument(),
    by: Principal = this.tenant.agent,
  ): Promise<Result<SubmittedPlan>> {
    return this.planning.submitPlan.execute(by, taskId, document);
  }

  /** The live plan of a task, by default of a new one. */
  async planned(taskId?: TaskId): Promise<Plan> {
    const submitted = await this.submit(taskId ?? (await this.task()).id);
    if (!submitted.ok) throw new Error(JSON.stringify(submitted.error));
    return submitted.value.plan;
  }

  /** The revisions of a task in their order, each with its shown status. */
  async revisionsOf(taskId: TaskId): Promise<readonly (readonly [number, string])[]> {
    const listed = await this.inTx((tx) => this.plans.list(tx, { taskId }, { limit: 9, after: null }));
    return listed.map(({ plan, status }) => [plan.revision, status] as const).sort(([a], [b]) => a - b);
  }

  /** Moves the task of a plan. */
  moveTask(id: TaskId, state: TaskState): Promise<void> {
    return this.inTx((tx) => this.tasks.setState(tx, id, state, this.uow.now));
  }

  find(id: PlanId): Promise<Plan | null> {
    return this.inTx((tx) => this.plans.find(tx, id));
  }

  /** The audit entries, in order. */
  get audited(): readonly AuditEvent[] {
    return this.audit.of(this.tenant);
  }
}
