import { join } from 'node:path';
import {
  ApprovalJournal,
  type ApprovalSubjects,
  AuthorizeStart,
  ReadStanding,
  StageApprovalSubjects,
  StagePlanSimulations,
} from '#lib/approval';
import type { AutonomyInForce } from '#lib/autonomy';
import { canonicalJson, type Json } from '#lib/canonical';
import type { AutonomyDocument, PlanDocument, ToolDefinition } from '#lib/contracts';
import { packageRoot } from '#lib/database';
import type { DispatchOrder, DispatchOutcome } from '#lib/dispatch';
import { type Halt, LiftHalt, SetHalt } from '#lib/halt';
import {
  actorOf,
  type AgentPrincipal,
  type AutonomyRevisionId,
  digestText,
  type HaltId,
  newId,
  type PersonPrincipal,
  type PlanId,
  type RunId,
  type SimulationId,
  type TenantId,
  type Tx,
} from '#lib/kernel';
import { invocationsOf, type Plan, PlanResolver, PlanRetirement, SubmitPlan } from '#lib/plan';
import { loadPolicyBundle, OpaWasmPolicyEngine, PolicyDecisionPoint } from '#lib/policy';
import { RecordOutcome, type Simulation, SimulationFreshness } from '#lib/simulation';
import { CreateTask, type EnvironmentReader, TaskAccess, TaskLifecycle } from '#lib/task';
import { FakeAbsenceRepository } from '../../approval/src/application/fake-absence-repository.js';
import { FakeApprovalRepository } from '../../approval/src/application/fake-approval-repository.js';
import { FakePeople } from '../../approval/src/application/fake-people.js';
import { FakeAuditSink, FakeJobQueue, FakeOutbox } from '../../kernel/src/fake-ports.js';
import { type SampleEnvironment, type SampleTenant, sampleTenant } from '../../kernel/src/fake-tenant.js';
import { FakeUnitOfWork } from '../../kernel/src/fake-unit-of-work.js';
import { FakeDecisionLog } from '../../policy/src/application/fake-decision-log.js';
import { FakeTaskRepository } from '../../task/src/application/fake-task.repository.js';
import { runParts, type RunParts } from './adapters/run-parts.js';
import { RunCanaryHistory } from './application/canary-history.js';
import type { PlanOfRun } from './application/fake-run-list.js';
import { FakeRunRepository } from './application/fake-run.repository.js';
import { PauseForHalt } from './application/pause-for-halt.js';
import { RunJournal } from './application/run-journal.js';
import type { RunMoved, RunSettings } from './application/run.ports.js';
import type { Run, RunEvent, StepAttempt } from './domain/run.js';
import { FakeApprovals } from './fake-run-approvals.js';
import { fine, RUN_TOOLS, valueOf } from './fake-run-documents.js';
import { fakeHalts, fakePlans, FakeFleet, FakeSimulations, fakeTools } from './fake-run-stages.js';

const FULL_AUTO: AutonomyDocument = { autonomy: { mode: 'full_auto' } };

/** Compiled once a file: the policies of the product. */
let engine: OpaWasmPolicyEngine | undefined;

/** What the pretended tool server does with a call. */
type ToolBehaviour = (order: DispatchOrder) => Promise<DispatchOutcome> | DispatchOutcome;

/** What a test arranges otherwise. */
export interface FakeRunWorldOptions {
  readonly settings?: Partial<RunSettings>;
  /** Let the agent carry out its calls itself. */
  readonly executor?: 'agent';
  readonly tools?: readonly ToolDefinition[];
}

/** Runs in memory under the real policies, with a tool server that the test plays itself. */
export class FakeRunWorld {
  readonly uow = new FakeUnitOfWork();
  readonly audit = new FakeAuditSink(this.uow);
  readonly jobs = new FakeJobQueue(this.uow);
  readonly outbox = new FakeOutbox(this.uow);
  readonly decisions = new FakeDecisionLog();
  readonly tasks = new FakeTaskRepository(this.uow);
  readonly simulations = new FakeSimulations(this.uow);
  readonly requests = new FakeApprovalRepository(this.uow);
  readonly people = new FakePeople(this.uow, new FakeAbsenceRepository(this.uow));
  readonly home: SampleTenant = sampleTenant();
  readonly tenantId: TenantId = this.home.tenantId;
  readonly agent: AgentPrincipal = { ...this.home.agent, scopes: ['read', 'submit', 'run'] };
  readonly person: PersonPrincipal = { ...this.home.owner, displayName: 'Operator', scopes: ['read', 'run'] };
  readonly runs: FakeRunRepository;
  readonly parts: RunParts;
  readonly subjects: ApprovalSubjects;
  readonly approvals: FakeApprovals;
  /** Every call that left, in order. */
  readonly calls: DispatchOrder[] = [];
  /** Every move of a run that was told. */
  readonly moved: RunMoved[] = [];
  readonly #plans = fakePlans(this.uow);
  readonly #halts = fakeHalts(this.uow);
  readonly #fleet: FakeFleet;
  readonly #halting: { readonly set: SetHalt; readonly lift: LiftHalt };
  readonly #submitting: { readonly task: CreateTask; readonly plan: SubmitPlan };
  readonly #grants = new Set<string>();
  #autonomy: AutonomyInForce | null = null;
  #behaviour: ToolBehaviour = () => fine;

  constructor({ settings, executor, tools: catalog = RUN_TOOLS }: FakeRunWorldOptions = {}) {
    const { uow, audit, jobs, outbox, decisions, tasks, requests, home } = this;
    this.runs = new FakeRunRepository(uow, (id) => this.#planOf(id));
    this.#fleet = new FakeFleet(executor ?? 'http');
    this.autonomy(FULL_AUTO);
    engine ??= new OpaWasmPolicyEngine(loadPolicyBundle(join(packageRoot(), 'policies')));
    const policy = new PolicyDecisionPoint(engine, decisions);
    const [tools, executors, { plans }] = [fakeTools(catalog), this.#fleet, this.#plans];
    const [{ halts }, simulations] = [this.#halts, this.simulations.repository];
    const autonomy = { current: () => Promise.resolve(this.#autonomy) };
    const environments = environmentsOf(home);
    const taskAccess = new TaskAccess({ ownerOf: () => Promise.resolve(home.owner.personId) });
    const taskLifecycle = new TaskLifecycle(tasks, audit);
    this.subjects = new StageApprovalSubjects({
      policy,
      autonomy,
      tools,
      executors,
      tasks,
      plans,
      simulations: new StagePlanSimulations(simulations),
      environments,
      agents: { answerable: () => Promise.resolve([home.owner.personId]) },
      halts,
      canaries: new RunCanaryHistory(this.runs),
    });
    const { subjects } = this;
    const standing = new ReadStanding(requests, this.people);
    const approvals = new ApprovalJournal(requests, audit, outbox);
    this.parts = runParts({
      uow,
      audit,
      jobs,
      outbox,
      runs: this.runs,
      policy,
      decisions,
      halts,
      tools,
      executors,
      environments,
      tasks,
      taskAccess,
      taskLifecycle,
      plans,
      simulations,
      freshness: new SimulationFreshness(simulations, audit),
      predictions: new RecordOutcome(simulations, {
        insert: (tx, runId, outcomes) => {
          this.simulations.outcomes.of(tx).set(runId, outcomes);
          return Promise.resolve();
        },
        accuracy: () => Promise.resolve([]),
      }),
      subjects,
      requests,
      standing,
      authority: new AuthorizeStart(subjects, requests, standing, approvals, policy),
      dispatcher: {
        dispatch: async (order) => {
          this.calls.push(order);
          return this.#behaviour(order);
        },
      },
      grants: {
        fetch: async (order, id) => {
          const expiresAt = await this.tx(async (tx) => (await order.mayLeaveUntil?.(tx)) ?? null);
          if (expiresAt === null) return null;
          this.#grants.add(id);
          return { grant: id, expiresAt };
        },
        wasIssued: (_tx, id) => Promise.resolve(this.#grants.has(id)),
      },
      listeners: [
        {
          runMoved: (_tx, moved) => {
            this.moved.push(moved);
            return Promise.resolve();
          },
        },
      ],
      settings: { leaseMarginMs: 1_000, waitScale: 1, ...settings },
    });
    this.approvals = new FakeApprovals({
      uow,
      subjects,
      requests,
      people: this.people,
      journal: approvals,
      policy,
      access: taskAccess,
      granted: this.parts.start,
    });
    const pausing = new PauseForHalt(this.runs, new RunJournal(this.runs, audit), jobs);
    const targets = {
      environmentByName: () => Promise.resolve(null),
      agentExists: () => Promise.resolve(true),
      toolExists: () => Promise.resolve(true),
    };
    this.#halting = {
      set: new SetHalt(uow, halts, targets, pausing, pausing, { revoke: () => Promise.resolve(0) }, audit),
      lift: new LiftHalt(uow, halts, audit),
    };
    this.#submitting = {
      task: new CreateTask(uow, tasks, environments, { problemOf: () => null }, audit),
      plan: new SubmitPlan({
        unitOfWork: uow,
        tasks,
        access: taskAccess,
        lifecycle: taskLifecycle,
        environments,
        autonomy,
        policy,
        resolver: new PlanResolver(tools, executors, plans, { bindings: () => Promise.resolve(new Map()) }),
        plans,
        retirement: new PlanRetirement(plans, audit, []),
        audit,
      }),
    };
  }

  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.uow.run(this.tenantId, work);
  }

  /** Replaces what the tool server does; without it every call succeeds. */
  behave(behaviour: ToolBehaviour): void {
    this.#behaviour = behaviour;
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
  moveToolServer(url: string): void {
    this.#fleet.moveTo(url);
  }

  /** Rewrites a plan behind the service's back. */
  tamper(planId: PlanId, rewrite: (plan: Plan) => Plan): void {
    const rows = this.#plans.rows.of(this);
    const plan = rows.get(planId);
    if (plan === undefined) throw new Error(`no plan ${planId}`);
    rows.set(planId, rewrite(plan));
  }

  /** A validated plan of a new task of the agent. */
  async plan(document: PlanDocument, environment: SampleEnvironment = this.home.staging): Promise<PlanId> {
    const spec = { goal: 'deploy', task_type: 'deploy', environment: environment.name, timeout_minutes: 60 };
    const task = valueOf(await this.#submitting.task.execute(this.agent, spec));
    return valueOf(await this.#submitting.plan.execute(this.agent, task.id, document)).id;
  }

  /** A queued run of a new plan. */
  async queued(document: PlanDocument, environment?: SampleEnvironment): Promise<Run> {
    return valueOf(await this.parts.start.execute(this.agent, await this.plan(document, environment)));
  }

  /** Advances until nothing is left to do at once; the run as it then stands. */
  async settle(runId: RunId): Promise<Run> {
    for (let turns = 0; turns < 2_000; turns += 1) {
      const again = await this.parts.advance.execute(this.tenantId, runId);
      if (again.when !== 'now') return this.run(runId);
    }
    throw new Error('the run never comes to rest');
  }

  async run(runId: RunId): Promise<Run> {
    const found = await this.tx((tx) => this.runs.find(tx, runId));
    if (found === null) throw new Error(`no run ${runId}`);
    return found;
  }

  /** `<step id>:<state>` of every step, in order. */
  async steps(runId: RunId): Promise<readonly string[]> {
    return (await this.tx((tx) => this.runs.steps(tx, runId))).map((step) => `${step.stepId}:${step.state}`);
  }

  attempts(runId: RunId): Promise<readonly StepAttempt[]> {
    return this.tx((tx) => this.runs.attempts(tx, runId));
  }

  events(runId: RunId): Promise<readonly RunEvent[]> {
    return this.tx((tx) => this.runs.events(tx, runId, 0, 1_000));
  }

  async eventTypes(runId: RunId): Promise<readonly string[]> {
    return (await this.events(runId)).map((event) => event.type);
  }

  async taskState(run: Pick<Run, 'taskId'>): Promise<string | undefined> {
    return (await this.tx((tx) => this.tasks.find(tx, run.taskId)))?.state;
  }

  /** Sets a halt, without more said on everything. */
  async halt(target: HaltBody = { kind: 'tenant' }): Promise<Halt> {
    return valueOf(await this.#halting.set.execute(this.person, { ...target, reason: 'something is wrong' }));
  }

  /** A halt of everything that asked no run to pause. */
  haltBehindItsBack(): void {
    const id = newId<HaltId>();
    const effect = { pausedRuns: [], revokedGrants: 0, inFlight: [] };
    const createdBy = actorOf(this.person);
    const row: Halt = {
      id,
      target: { kind: 'tenant' },
      reason: 'quiet',
      effect,
      createdAt: 0,
      createdBy,
      lifted: null,
    };
    this.#halts.rows.of(this).set(id, row);
  }

  /** A prediction of the plan that counts. @returns what makes it stale, for the reason of this code. */
  predict(planId: PlanId): (code: string) => void {
    const plan = this.#plans.rows.of(this).get(planId);
    if (plan?.expansion == null || plan.decisionId === null) throw new Error(`no plan ${planId}`);
    const value: Predicted = {
      affected_assets: 1,
      estimated_duration_minutes: 1,
      predicted_risk: 'low',
      health_check_points: [],
      details: { calls: [], wait_minutes: 0 },
    };
    const text = canonicalJson(value);
    const simulation: Simulation = {
      id: newId<SimulationId>(),
      planId,
      planDigest: plan.expansion.digest,
      decisionId: plan.decisionId,
      submitter: plan.submitter,
      fence: 1,
      nextAt: null,
      createdAt: this.uow.now,
      state: 'succeeded',
      startedAt: this.uow.now,
      finishedAt: this.uow.now,
      output: { value, text, digest: digestText('simulation', text) },
    };
    const rows = this.simulations.rows.of(this);
    rows.set(simulation.id, simulation);
    return (code) =>
      rows.set(simulation.id, { ...simulation, state: 'stale', staleReason: { code, message: 'stale' } });
  }

  async lift(halt: Halt): Promise<void> {
    const lead: PersonPrincipal = { ...this.person, roles: [{ role: 'SRELead', grantedAt: 0 }] };
    valueOf(await this.#halting.lift.execute(lead, halt.id, 'looked at it'));
  }

  #planOf(id: PlanId): PlanOfRun | undefined {
    const plan = this.#plans.rows.of(this).get(id);
    const expanded = plan?.expansion?.plan;
    if (plan === undefined || expanded === undefined) return undefined;
    const invocations = invocationsOf(expanded);
    return {
      environment: expanded.environment.name,
      agentId: plan.submitter.kind === 'agent' ? plan.submitter.id : null,
      people: [plan.submitter.id, plan.submitter.onBehalfOf].filter((each) => each !== null),
      tools: [...new Set(invocations.map(({ tool }) => tool.name))],
      targets: expanded.distinct_targets,
    };
  }
}

type Predicted = Extract<Simulation, { readonly state: 'succeeded' }>['output']['value'];

type HaltBody = { readonly kind: 'tenant' } | { readonly kind: 'tool'; readonly tool: string };

/** A world for the tests of one file; each of them begins with one of its own. */
export function worldOfTest(options?: FakeRunWorldOptions): () => FakeRunWorld {
  let world: FakeRunWorld;
  beforeEach(() => {
    world = new FakeRunWorld(options);
  });
  return () => world;
}

const environmentsOf = ({ production, staging }: SampleTenant): EnvironmentReader => {
  const all: readonly SampleEnvironment[] = [production, staging];
  return {
    byId: (_tx, id) => Promise.resolve(all.find((environment) => environment.id === id)),
    byName: (_tx, name) => Promise.resolve(all.find((environment) => environment.name === name)),
    names: () => Promise.resolve(all.map(({ name }) => name)),
  };
};
