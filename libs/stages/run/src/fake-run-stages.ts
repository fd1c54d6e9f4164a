import { createApprovals, type Approvals } from '#lib/approval';
import type { AutonomyInForce } from '#lib/autonomy';
import { canonicalJson, type Json } from '#lib/canonical';
import type { AutonomyDocument, PlanDocument } from '#lib/formats';
import {
  type AgentPrincipal,
  type AutonomyRevisionId,
  digestText,
  newId,
  type PersonPrincipal,
  type PlanId,
  type TenantId,
  type Tx,
} from '#lib/kernel';
import { conditionGrammar, createPlans, invocationsOf, type Plan, type Plans } from '#lib/plan';
import { createSimulations, type Simulations } from '#lib/simulation';
import { createTasks, type EnvironmentReader, type Tasks } from '#lib/task';
import { fakeApprovalRows } from '../../approval/src/application/fake-approval-rows.js';
import { fakeStageSubjects } from '../../approval/src/fake-stage-subjects.js';
import { FakePlanSimulations } from '../../approval/src/application/fake-plan-simulations.js';
import { FakeHaltRepository, sampleHalt } from '../../../rules/halt/src/application/fake-halt.repository.js';
import { FakeAuditSink, FakeJobQueue, FakeOutbox } from '../../../foundation/kernel/src/fake-ports.js';
import { type SampleEnvironment, type SampleTenant, sampleTenant } from '../../../foundation/kernel/src/fake-tenant.js';
import { FakeUnitOfWork } from '../../../foundation/kernel/src/fake-unit-of-work.js';
import { FakeSubmissionFacts } from '../../plan/src/application/fake-submission-facts.js';
import { fakePolicy } from '../../../rules/policy/src/fake-policy.js';
import {
  begun,
  outdated,
  sampleOutput,
  samplePending,
  succeeded,
} from '../../simulation/src/application/fake-simulation.js';
import { FakeSimulationOutcomeRepository } from '../../simulation/src/application/fake-simulation-outcome.repository.js';
import { FakeSimulationRepository } from '../../simulation/src/application/fake-simulation.repository.js';
import { FakeTaskRepository } from '../../task/src/application/fake-task.repository.js';
import { FakeExecutorRepository } from '../../../registry/tool/src/application/fake-executor.repository.js';
import { FakeToolRepository } from '../../../registry/tool/src/application/fake-tool.repository.js';
import type { PlanOfRun } from './application/fake-run-list.js';
import { FakeRunRepository } from './application/fake-run.repository.js';
import { RUN_TOOLS, valueOf } from './fake-run-documents.js';
import type { Runs } from './create-runs.js';
import { AlterablePlans, Fleets, register } from './fake-run-registry.js';

const FULL_AUTO: AutonomyDocument = { autonomy: { mode: 'full_auto' } };

const ofNoCall = () => Promise.reject(new Error('every request is about a plan'));
/** No request of this world is about a call. */
const NO_CALLS: Parameters<typeof createApprovals>[0]['calls'] = {
  holdRequest: () => Promise.resolve(null),
  readRequest: () => Promise.resolve(null),
  read: () => Promise.resolve(null),
  about: () => Promise.resolve(new Map()),
  callApproved: ofNoCall,
  callDenied: ofNoCall,
};

/** The stages before runs, in memory under the real policies. */
export abstract class FakeRunStages {
  abstract readonly parts: Runs;
  readonly uow = new FakeUnitOfWork();
  readonly audit = new FakeAuditSink(this.uow);
  readonly jobs = new FakeJobQueue(this.uow);
  readonly outbox = new FakeOutbox(this.uow);
  readonly policies = fakePolicy(this.uow);
  readonly decisions = this.policies.decisions;
  readonly policy = this.policies.decisionPoint;
  readonly tasks = new FakeTaskRepository(this.uow);
  readonly plans = new AlterablePlans(this.uow);
  readonly tools = new FakeToolRepository(this.uow);
  readonly executors = new FakeExecutorRepository(this.uow);
  readonly halts = new FakeHaltRepository(this.uow);
  readonly simulations = new FakeSimulationRepository(this.uow);
  readonly outcomes = new FakeSimulationOutcomeRepository(this.uow);
  readonly approvalRows = fakeApprovalRows(this.uow);
  readonly requests = this.approvalRows.requests;
  readonly people = this.approvalRows.people;
  readonly approval: Approvals;
  readonly subjects: Approvals['planSubjects'];
  readonly home: SampleTenant = sampleTenant();
  readonly tenantId: TenantId = this.home.tenantId;
  readonly agent: AgentPrincipal = { ...this.home.agent, scopes: ['read', 'submit', 'run'] };
  readonly person: PersonPrincipal = { ...this.home.owner, displayName: 'Operator', scopes: ['read', 'run'] };
  readonly environments = environmentsOf(this.home);
  readonly task: Tasks;
  readonly #about = new Map<PlanId, PlanOfRun>();
  readonly runs = new FakeRunRepository(this.uow, (id) => this.#about.get(id));
  readonly #fleets: Fleets;
  readonly predicting: Simulations;
  readonly planning: Plans;
  #autonomy: AutonomyInForce | null = null;

  /** @param executor the kind of every executor. */
  protected constructor(executor: string) {
    const { uow, audit, policies, policy, tasks, plans, tools, executors, environments, home } = this;
    this.autonomy(FULL_AUTO);
    this.task = createTasks({
      ...{ uow, tasks, audit, environments, conditions: conditionGrammar, cancelled: [] },
      agents: { find: () => Promise.resolve({ ownerId: home.owner.personId }) },
    });
    this.#fleets = new Fleets(executors, home, executor);
    const autonomy = { current: () => Promise.resolve(this.#autonomy) };
    const simulations = new FakePlanSimulations(this.simulations);
    this.approval = createApprovals({
      ...{ uow, audit, policy, outbox: this.outbox, rows: this.approvalRows },
      deliver: () => undefined,
      autonomy: { revisions: autonomy, approvalDemand: { inProduction: ofNoCall } },
      task: this.task,
      credentials: { find: ofNoCall, stillGood: ofNoCall },
      proofs: {
        take: () => Promise.reject(new Error('nobody proves a second factor here')),
        mfaState: () => Promise.resolve({ enrolled: false }),
      },
      definitions: { execute: () => Promise.resolve(null) },
      approved: { requestApproved: (...event) => this.parts.start.requestApproved(...event) },
      calls: NO_CALLS,
      plans: fakeStageSubjects(policy, {
        autonomy,
        tools,
        executors,
        tasks,
        plans,
        simulations,
        environments,
        halts: this.halts,
        canaries: this.runs,
        requests: this.requests,
        ownerId: home.owner.personId,
      }),
    });
    this.subjects = this.approval.planSubjects;
    this.planning = createPlans({
      ...{ uow, audit, task: this.task, policy: policies, superseded: [] },
      rows: {
        plans,
        facts: new FakeSubmissionFacts({
          ...{ autonomy, tools, executors, tasks, environments, plans },
          ownerId: home.owner.personId,
        }),
      },
      tool: { tools, executors, secretNames: { bindings: () => Promise.resolve(new Map()) } },
    });
    this.predicting = createSimulations({
      ...{ uow, audit, jobs: this.jobs, task: this.task, environments, plan: this.planning, tools, policy: policies },
      ...{ executorKinds: [], autonomy, halts: this.halts },
      rows: { simulations: this.simulations, outcomes: this.outcomes, facts: { hold: () => Promise.resolve(null) } },
      dispatcher: { dispatch: () => Promise.reject(new Error('predictions are written by hand')) },
    });
  }

  protected async register(): Promise<void> {
    await this.tx(async (tx) => {
      await register(tx, this.tools, this.home, RUN_TOOLS);
      await this.#fleets.moveTo(tx);
    });
  }

  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.uow.run(this.tenantId, work);
  }

  /** Puts another autonomy document in force. */
  autonomy(document: AutonomyDocument): void {
    this.#autonomy = {
      revisionId: newId<AutonomyRevisionId>(),
      number: (this.#autonomy?.number ?? 0) + 1,
      document,
      digest: digestText('autonomy', canonicalJson(document as Json)),
    };
  }

  /** Lets time go by. */
  passTime(seconds: number): void {
    this.uow.now += seconds * 1_000;
  }

  /** Registers another address for the tool server. */
  moveToolServer(url: string): Promise<void> {
    return this.tx((tx) => this.#fleets.moveTo(tx, url));
  }

  /** Rewrites a plan behind the service's back. */
  async tamper(planId: PlanId, rewrite: (plan: Plan) => Plan): Promise<void> {
    this.plans.alter(rewrite(await this.#planOf(planId)));
  }

  /** A validated plan of a new task, by default of the agent. */
  async plan(
    document: PlanDocument,
    environment: SampleEnvironment = this.home.staging,
    by: AgentPrincipal | PersonPrincipal = this.agent,
  ): Promise<PlanId> {
    const spec = { goal: 'deploy', task_type: 'deploy', environment: environment.name, timeout_minutes: 60 };
    const task = valueOf(await this.task.createTask.execute(by, spec));
    const { plan } = valueOf(await this.planning.submitPlan.execute(by, task.id, document));
    this.#about.set(plan.id, aboutOf(plan));
    return plan.id;
  }

  /** A halt of everything that asked no run to pause. */
  haltBehindItsBack(): Promise<void> {
    return this.tx((tx) => this.halts.insert(tx, sampleHalt(this.home)));
  }

  /** A prediction of the plan that counts. @returns a function that makes it stale, for the reason of this code. */
  async predict(planId: PlanId): Promise<(code: string) => Promise<void>> {
    const plan = await this.#planOf(planId);
    const about = this.#about.get(planId);
    this.simulations.touched.set(planId, { environmentId: this.home.staging.id, targets: about?.targets ?? [] });
    const pending = samplePending(plan);
    const done = succeeded(begun(pending), sampleOutput(about?.targets));
    await this.tx(async (tx) => {
      await this.simulations.insert(tx, pending);
      await this.simulations.save(tx, begun(pending));
      await this.simulations.save(tx, done);
    });
    return (code) => this.tx((tx) => this.simulations.save(tx, outdated(done, { code, message: 'stale' })));
  }

  async #planOf(id: PlanId): Promise<Plan> {
    const plan = await this.tx((tx) => this.plans.find(tx, id));
    if (plan === null) throw new Error(`no plan ${id}`);
    return plan;
  }
}

function aboutOf({ submitter, expansion }: Plan): PlanOfRun {
  if (expansion === null) throw new Error('the plan was not expanded');
  const { environment, distinct_targets } = expansion.plan;
  return {
    environment: environment.name,
    agentId: submitter.kind === 'agent' ? submitter.id : null,
    people: [submitter.id, submitter.onBehalfOf].filter((each) => each !== null),
    tools: [...new Set(invocationsOf(expansion.plan).map(({ tool }) => tool.name))],
    targets: distinct_targets,
  };
}

const environmentsOf = ({ production, staging }: SampleTenant): EnvironmentReader => {
  const all: readonly SampleEnvironment[] = [production, staging];
  return {
    byId: (_tx, id) => Promise.resolve(all.find((environment) => environment.id === id) ?? null),
    byName: (_tx, name) => Promise.resolve(all.find((environment) => environment.name === name) ?? null),
    names: () => Promise.resolve(all.map(({ name }) => name)),
  };
};
