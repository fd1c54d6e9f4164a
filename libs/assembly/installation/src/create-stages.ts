import { createApprovals, createApprovalStore, type Approvals, type DeliverOpened } from '#lib/approval';
import {
  createAutomations,
  createAutomationStore,
  type AutomationDeps,
  type Automations,
  type PublicEvents,
} from '#lib/automation';
import { createAutonomy, createAutonomyStore } from '#lib/autonomy';
import { createHalts, createHaltStore, createHaltTargets } from '#lib/halt';
import type { AuditSink, JobQueue, LogFollowing, Outbox, UnitOfWork } from '#lib/kernel';
import { conditionGrammar, createPlans, createPlanStore, type Plans } from '#lib/plan';
import { createRunPauses, createRuns, createRunStore, type RunDeps, type Runs } from '#lib/run';
import { createSessions, createSessionStore } from '#lib/session';
import { createSimulations, createSimulationStore } from '#lib/simulation';
import { createTasks, createTaskStore } from '#lib/task';
import type { Keys } from '#lib/tenancy';
import { createToolCalls, createToolCallStore, type ToolCalls } from '#lib/tool-call';
import type { Core } from './create-core.js';

/** The libraries before the stages, and the ports that the stages share. */
export interface StagesDeps {
  readonly core: Core;
  readonly uow: UnitOfWork;
  readonly jobs: JobQueue;
  readonly keys: Pick<Keys, 'seals' | 'texts' | 'wrapping'>;
  readonly audit: AuditSink;
  readonly outbox: Outbox;
  readonly deliver: DeliverOpened;
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
 * one, the earlier gets a function that calls it. All of them are there at the time of that call.
 */
export function createStages(deps: StagesDeps) {
  const { core, uow, jobs, audit, outbox } = deps;
  const { seals, texts, wrapping } = deps.keys;
  const { directory, policy, tool, dispatch, executorKinds } = core;
  const { twoPersonRule } = core.changes;
  const { environments } = core.tenancy;
  const autonomy = createAutonomy({
    uow,
    rows: createAutonomyStore(seals),
    policy: policy.decisionPoint,
    tools: tool.tools,
    twoPersonRule,
    audit,
  });
  const runStore = createRunStore({ uow, seals });
  const halt = createHalts({
    uow,
    halts: createHaltStore(),
    audit,
    targets: createHaltTargets(environments, directory.agents, tool.tools),
    runs: createRunPauses({ runs: runStore.runs, audit, jobs }),
    calls: { stopCalls: (...halt) => toolCall.stopCalls.stopCalls(...halt) },
    grants: dispatch.revoker,
  });
  const task = createTasks({
    uow,
    tasks: createTaskStore(),
    audit,
    agents: directory.agents,
    environments,
    conditions: conditionGrammar,
    cancelled: [{ taskCancelled: (...event) => plan.withdrawCancelledPlan.taskCancelled(...event) }],
  });
  const { contents, ...planRows } = createPlanStore(seals);
  const plan: Plans = createPlans({
    uow,
    rows: planRows,
    audit,
    task,
    policy,
    tool,
    superseded: [{ planSuperseded: (...event) => approval.voidRequests.planSuperseded(...event) }],
  });
  const simulation = createSimulations({
    uow,
    rows: createSimulationStore(seals, contents),
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
  const approvalRows = createApprovalStore(seals, directory);
  const approval: Approvals = createApprovals({
    uow,
    rows: approvalRows,
    plans: approvalRows.subjectsOf(policy.decisionPoint, contents),
    audit,
    outbox,
    deliver: deps.deliver,
    policy: policy.decisionPoint,
    autonomy,
    task,
    credentials: directory.credentials,
    proofs: core.mfa.proofs,
    definitions: core.mcpUpstream.findChangedDefinition,
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
  const bound = runStore.bound({
    plans: plan.plans,
    contents,
    tools: tool.tools,
    policy: policy.decisionPoint,
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
    bound,
    people: approval.people,
    authority: approval.authorizeStart,
    dispatcher: dispatch.dispatcher,
    keptAnswers: dispatch.keptAnswers,
    grants: dispatch.issue,
    listeners: deps.listeners,
    settings: deps.settings,
  });
  const session = createSessions({
    uow,
    rows: createSessionStore(seals),
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
    rows: createToolCallStore(seals, texts),
    enclosing: { of: (...call) => automation.enclosing.of(...call) },
    audit,
    policy: policy.decisionPoint,
    decisions: policy.decisions,
    autonomy: autonomy.revisions,
    environments,
    agents: directory.agents,
    credentials: directory.credentials,
    tool,
    halts: halt.halts,
    noWayBack: core.runnerPool.noWayBack,
    session,
    approval,
    jobs,
    executorKinds,
    dispatcher: dispatch.dispatcher,
    keptAnswers: dispatch.keptAnswers,
    grants: dispatch.issue,
    leaseMarginMs: deps.settings.leaseMarginMs,
  });
  const automation: Automations = createAutomations({
    uow,
    rows: createAutomationStore(seals, wrapping),
    audit,
    jobs,
    outbox,
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
    mintCredential: core.identity.mintCredential,
    toolCall,
  });
  return { automation, autonomy, halt, task, plan, simulation, approval, run, runStore, bound, session, toolCall };
}
