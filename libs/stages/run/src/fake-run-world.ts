import type { PlanDocument } from '#lib/formats';
import {
  EXECUTOR_KINDS,
  kindNamed,
  type DispatchOrder,
  type DispatchOutcome,
  type ExecutorKinds,
  type KeptAnswers,
} from '#lib/dispatch';
import { createHalts, type Halt } from '#lib/halt';
import { newId, type PersonPrincipal, type RunId } from '#lib/kernel';
import type { SampleEnvironment } from '../../../foundation/kernel/src/fake-tenant.js';
import { createRunPauses, createRuns, type Runs } from './create-runs.js';
import { FakeBoundRecords } from './application/fake-bound-records.js';
import type { RunMoved, RunSettings } from './application/run.ports.js';
import type { Run, RunEvent } from './domain/run.js';
import type { StepAttempt } from './domain/step-attempt.js';
import { FakeApprovals } from './fake-run-approvals.js';
import { fine, valueOf } from './fake-run-documents.js';
import { FakeRunStages } from './fake-run-stages.js';

/** The answer of the pretended tool server to a call. */
type ToolBehaviour = (order: DispatchOrder) => Promise<DispatchOutcome> | DispatchOutcome;

type KeptAnswer = Awaited<ReturnType<KeptAnswers['of']>>;

/** The options of a test. */
export interface FakeRunWorldOptions {
  readonly settings?: Partial<RunSettings>;
  /** The kind of every executor, by default `http`. If it is `agent`, the agent carries out its calls itself. */
  readonly executor?: string;
  readonly executorKinds?: ExecutorKinds;
}

/** Runs in memory under the real policies, with a tool server that the test plays itself. */
export class FakeRunWorld extends FakeRunStages {
  readonly parts: Runs;
  readonly bound = new FakeBoundRecords(this);
  readonly approvals: FakeApprovals;
  /** Every call that left, in order. */
  readonly calls: DispatchOrder[] = [];
  /** Every move of a run that was told. */
  readonly moved: RunMoved[] = [];
  /** The answer that the executor kept of any call of a dead worker. */
  keptAnswer: KeptAnswer = null;
  readonly #halting: ReturnType<typeof createHalts>;
  readonly #grants = new Set<string>();
  #behaviour: ToolBehaviour = () => fine;

  private constructor({ settings, executor, executorKinds = EXECUTOR_KINDS }: FakeRunWorldOptions) {
    super(executor ?? 'http');
    const { uow, audit, jobs, outbox, runs, policy, halts, subjects, approval, task } = this;
    const { people, authorizeStart: authority } = approval;
    const { decisions, tools, executors, environments, tasks, plans, simulations } = this;
    const { freshness, recordOutcome: predictions } = this.predicting;
    this.parts = createRuns({
      uow,
      audit,
      jobs,
      outbox,
      runs,
      policy,
      decisions,
      halts,
      tools,
      executors,
      executorKinds,
      environments,
      tasks,
      taskAccess: task.access,
      taskLifecycle: task.lifecycle,
      plans,
      simulations,
      subjects,
      bound: this.bound,
      people,
      freshness,
      predictions,
      authority,
      dispatcher: {
        dispatch: async (order) => {
          if (kindNamed(executorKinds, order.executor.kind)?.answeredBy === 'agent') return { kind: 'offered' };
          this.calls.push(order);
          return this.#behaviour(order);
        },
      },
      keptAnswers: { of: () => Promise.resolve(this.keptAnswer) },
      grants: {
        ahead: (_tx, _order, { since, until }) =>
          Promise.resolve({ id: newId(), issuedAt: since, expiresAt: until, freshUntil: Infinity }),
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
      settings: { leaseMarginMs: 1_000, waitScale: 1, offerPausesMs: 31_000, ...settings },
    });
    this.approvals = new FakeApprovals(uow, approval, this.approvalRows);
    this.#halting = createHalts({
      ...{ uow, halts, audit, runs: createRunPauses({ runs, audit, jobs }) },
      targets: {
        environmentByName: () => Promise.resolve(null),
        agentExists: () => Promise.resolve(false),
        toolExists: async (tx, name) => (await tools.history(tx, name)) !== null,
      },
      calls: { stopCalls: () => Promise.resolve({ denied: [], inFlight: [] }) },
      grants: { revoke: () => Promise.resolve(0) },
    });
  }

  static async open(options: FakeRunWorldOptions = {}): Promise<FakeRunWorld> {
    const world = new FakeRunWorld(options);
    await world.register();
    return world;
  }

  /** Replaces the behaviour of the tool server; by default every call succeeds. */
  behave(behaviour: ToolBehaviour): void {
    this.#behaviour = behaviour;
  }

  /** A queued run of a new plan. */
  async queued(document: PlanDocument, environment?: SampleEnvironment): Promise<Run> {
    return valueOf(await this.parts.start.execute(this.agent, await this.plan(document, environment)));
  }

  /** Advances until nothing is left to do at once; the run as it then stands. */
  async settle(runId: RunId): Promise<Run> {
    for (let turns = 0; turns < 2_000; turns += 1) {
      const again = await this.parts.advance.execute(this.tenantId, runId, () => true);
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
    return valueOf(await this.#halting.setHalt.execute(this.person, { ...target, reason: 'something is wrong' }));
  }

  async lift(halt: Halt): Promise<void> {
    const lead: PersonPrincipal = { ...this.person, roles: [{ role: 'SRELead', assignedAt: 0 }] };
    valueOf(await this.#halting.liftHalt.execute(lead, halt.id, 'looked at it'));
  }
}

type HaltBody = { readonly kind: 'tenant' } | { readonly kind: 'tool'; readonly tool: string };

/** A world for the tests of one file; each of them begins with one of its own. */
export function worldOfTest(options?: FakeRunWorldOptions): () => FakeRunWorld {
  let world: FakeRunWorld;
  beforeEach(async () => {
    world = await FakeRunWorld.open(options);
  });
  return () => world;
}
