import { createApprovals, type Approvals, type CarryOpened } from '#lib/approval';
import { createAutomations, SqlCallPlaces, type AutomationDeps, type PublicEvents } from '#lib/automation';
import { createAutonomy } from '#lib/autonomy';
import type { ExecutorKinds, GrantRevoker } from '#lib/dispatch';
import { createHalts } from '#lib/halt';
import type { Directory, MfaProofs, MintCredential } from '#lib/identity';
import type { AuditSink, TwoPersonRule, JobQueue, LogFollowing, Outbox, RowSeals, UnitOfWork } from '#lib/kernel';
import { conditionGrammar, createPlans, type Plans } from '#lib/plan';
import type { Policy } from '#lib/policy';
import { createRuns, createRunStore, type RunDeps, type Runs } from '#lib/run';
import { createSessions } from '#lib/session';
import { createSimulations } from '#lib/simulation';
import { createTasks } from '#lib/task';
import type { Tenancy } from '#lib/tenancy';
import type { Tools } from '#lib/tool';
import { createToolCalls, type ToolCallDeps, type ToolCalls } from '#lib/tool-call';

/** The ports that the stages share, and the libraries before them. */
export interface StagesDeps {
  readonly uow: UnitOfWork;
  readonly jobs: JobQueue;
  readonly seals: RowSeals;
  readonly texts: ToolCallDeps['texts'];
  readonly wrapping: AutomationDeps['wrapping'];
  readonly audit: AuditSink;
  readonly outbox: Outbox;
  readonly carry: CarryOpened;
  readonly twoPersonRule: TwoPersonRule;
  readonly directory: Directory;
  readonly mintCredential: Pick<MintCredential, 'execute'>;
  readonly environments: Tenancy['environments'];
  readonly proofs: MfaProofs;
  readonly policy: Policy;
  readonly tool: Pick<Tools, 'tools' | 'executors' | 'secretNames'>;
  readonly dispatch: {
    readonly dispatcher: RunDeps['dispatcher'];
    readonly keptAnswers: RunDeps['keptAnswers'];
    readonly issue: RunDeps['grants'];
    readonly revoker: GrantRevoker;
  };
  readonly executorKinds: ExecutorKinds;
  /** The reason why a runner of a pool takes no snapshot of its whole workspace in an environment. */
  readonly noWayBack: ToolCallDeps['noWayBack'];
  readonly definitions: Parameters<typeof createApprovals>[0]['definitions'];
  readonly listeners: RunDeps['listeners'];
  readonly following: LogFollowing;
  readonly publicEvents: PublicEvents;
  readonly pastEvents: AutomationDeps['past'];
  readonly settings: RunDeps['settings'];
}

/** The stages from task to run and sessions, with the autonomy and the halts that bind them. */
export type Stages = ReturnType<typeof createStages>;

/**
 * Wires the stages to each other, for an installation and for the tests' worlds. If a stage offers a port to an earlier
 * one, the earlier gets a function that calls it: by then all of them are there.
 */
export function createStages(deps: StagesDeps) {
  const { uow, jobs, seals, audit, outbox, twoPersonRule, directory, environments, policy, tool, dispatch } = deps;
  const { executorKinds } = deps;
  const autonomy = createAutonomy({
    uow,
    seals,
    policy: policy.decisionPoint,
    tools: tool.tools,
    twoPersonRule,
    audit,
  });
  const runStore = createRunStore({ uow, seals, audit, jobs });
  const halt = createHalts({
    uow,
    audit,
    environments,
    agents: directory.agents,
    tools: tool.tools,
    runs: runStore.pauseForHalt,
    calls: { stopCalls: (...halt) => toolCall.stopCalls.stopCalls(...halt) },
    grants: dispatch.revoker,
  });
  const task = createTasks({
    uow,
    audit,
    agents: directory.agents,
    environments,
    conditions: conditionGrammar,
    cancelled: [{ taskCancelled: (...event) => plan.withdrawCancelledPlan.taskCancelled(...event) }],
  });
  const plan: Plans = createPlans({
    uow,
    seals,
    audit,
    task,
    policy,
    tool,
    superseded: [{ planSuperseded: (...event) => approval.voidRequests.planSuperseded(...event) }],
  });
  const simulation = createSimulations({
    uow,
    seals,
    audit,
    jobs,
    task,
    environments,
    plan,
    tools: tool.tools,
    executorKinds,
    autonomy: autonomy.revisions,
    halts: halt.halts,
    policy,
    dispatcher: dispatch.dispatcher,
  });
  const approval: Approvals = createApprovals({
    uow,
    seals,
    audit,
    outbox,
    carry: deps.carry,
    policy: policy.decisionPoint,
    autonomy,
    task,
    contents: plan.contents,
    directory,
    proofs: deps.proofs,
    definitions: deps.definitions,
    approved: { requestApproved: (...event) => run.start.requestApproved(...event) },
    calls: {
      holdRequest: (...request) => toolCall.subjects.holdRequest(...request),
      readRequest: (...request) => toolCall.subjects.readRequest(...request),
      read: (...call) => toolCall.subjects.read(...call),
      about: (...calls) => toolCall.subjects.about(...calls),
      callApproved: (...event) => toolCall.settleToolCall.callApproved(...event),
      callDenied: (...event) => toolCall.settleToolCall.callDenied(...event),
    },
  });
  const run: Runs = createRuns({
    uow,
    audit,
    jobs,
    outbox,
    runs: runStore.runs,
    policy: policy.decisionPoint,
    decisions: policy.decisions,
    halts: halt.halts,
    tools: tool.tools,
    executors: tool.executors,
    executorKinds,
    environments,
    tasks: task.tasks,
    taskAccess: task.access,
    taskLifecycle: task.lifecycle,
    plans: plan.plans,
    simulations: simulation.simulations,
    freshness: simulation.freshness,
    predictions: simulation.recordOutcome,
    subjects: approval.planSubjects,
    bound: runStore.bound({
      plans: plan.plans,
      contents: plan.contents,
      tools: tool.tools,
      policy: policy.decisionPoint,
    }),
    requests: approval.requests,
    standing: approval.standing,
    authority: approval.authorizeStart,
    dispatcher: dispatch.dispatcher,
    keptAnswers: dispatch.keptAnswers,
    grants: dispatch.issue,
    listeners: deps.listeners,
    settings: deps.settings,
  });
  const session = createSessions({
    uow,
    seals,
    audit,
    policy: policy.decisionPoint,
    autonomy: autonomy.revisions,
    environments,
    agents: directory.agents,
    calls: { anyInFlight: (...session) => toolCall.anyInFlight(...session) },
    ended: [{ sessionEnded: (...event) => toolCall.stopCalls.sessionEnded(...event) }],
  });
  const toolCall: ToolCalls = createToolCalls({
    uow,
    seals,
    texts: deps.texts,
    places: new SqlCallPlaces(),
    audit,
    policy: policy.decisionPoint,
    autonomy: autonomy.revisions,
    environments,
    agents: directory.agents,
    credentials: directory.credentials,
    tool,
    halts: halt.halts,
    noWayBack: deps.noWayBack,
    session,
    approval,
    jobs,
    executorKinds,
    dispatcher: dispatch.dispatcher,
    keptAnswers: dispatch.keptAnswers,
    grants: dispatch.issue,
    leaseMarginMs: deps.settings.leaseMarginMs,
  });
  const automation = createAutomations({
    uow,
    seals,
    audit,
    jobs,
    outbox,
    wrapping: deps.wrapping,
    following: deps.following,
    events: deps.publicEvents,
    past: deps.pastEvents,
    twoPersonRule,
    policy: policy.decisionPoint,
    autonomy: autonomy.revisions,
    environments,
    halts: halt.halts,
    tools: tool.tools,
    executors: tool.executors,
    directory,
    mintCredential: deps.mintCredential,
    toolCall,
  });
  return { automation, autonomy, halt, task, plan, simulation, approval, run, runStore, session, toolCall };
}
