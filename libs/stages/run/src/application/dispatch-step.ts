import { frozenUntil, namePeople, type People } from '#lib/approval';
import { kindNamed, type DispatchOrder, type ExecutorKinds, type GrantOrder, type IssueGrant } from '#lib/dispatch';
import type { HaltReader } from '#lib/halt';
import { type AgentId, digestOf, newId, type PersonId, type TenantId, type Tx, inPlan } from '#lib/kernel';
import type { PolicyDecisionPoint, RecordedDecision } from '#lib/policy';
import {
  orderedTool,
  type ExecutorDirectory,
  type ExecutorRecord,
  type ToolRegistry,
  type ToolVersion,
} from '#lib/tool';
import type { ExpandedInvocation } from '#lib/formats';
import type { HaltFacts, ShellFacts } from '#lib/policy-inputs';
import type { AttemptId, RunStepId } from '../domain/ids.js';
import { lineAgain, UNJUDGED } from '../domain/line-again.js';
import { pathsAsApproved } from '../domain/paths-again.js';
import { invocationOf } from '../domain/plan-steps.js';
import { runStepInput } from '../domain/run-step-input.js';
import type { ActiveRun, Run, RunReason } from '../domain/run.js';
import { type InFlightStep, purposeOf, type RunStep, type SendableStep } from '../domain/run-step.js';
import type { StepAttempt } from '../domain/step-attempt.js';
import { dispatched, type Lease, undoing } from '../domain/step-changes.js';
import { stepFacts } from '../domain/step-reasons.js';
import {
  altered,
  frozen,
  notAllowed,
  otherLine,
  otherPaths,
  reviewerDisabled,
  unreachable,
} from '../domain/withheld-reasons.js';
import type { RunJournal } from './run-journal.js';
import { agentsOf, type RunContext, type RunSettings } from './run.ports.js';
import type { RunRepository } from './run.repository.js';

/** A call that is committed as dispatched, and now has to be given to the dispatcher. */
export interface Sent {
  readonly attemptId: AttemptId;
  /** As it was committed with the call. */
  readonly step: InFlightStep;
  readonly purpose: StepAttempt['purpose'];
  readonly order: DispatchOrder;
  readonly leaseUntil: number;
  /** As it was committed with the call. */
  readonly run: ActiveRun;
}

/** The call may leave; or the reason why the run has to pause. */
export type Dispatch =
  | { readonly kind: 'sent'; readonly sent: Sent }
  | { readonly kind: 'withheld'; readonly reason: RunReason; readonly decision: RecordedDecision | null };

interface DispatchStepDeps {
  readonly runs: RunRepository;
  readonly people: Pick<People, 'standing'>;
  readonly policy: Pick<PolicyDecisionPoint, 'decide'>;
  readonly halts: HaltReader;
  readonly tools: ToolRegistry;
  readonly executors: ExecutorDirectory;
  readonly executorKinds: ExecutorKinds;
  readonly grants: Pick<IssueGrant, 'ahead'>;
  readonly journal: RunJournal;
  readonly settings: RunSettings;
}

/**
 * Prepares one call within the transaction that commits it as dispatched. Compares it with the approved call, asks
 * policy again, and writes the attempt with its number, fence and lease. The call itself is made after the commit.
 */
export class DispatchStep {
  constructor(private readonly deps: DispatchStepDeps) {}

  async execute(tx: Tx, run: ActiveRun, context: RunContext, step: SendableStep, now: number): Promise<Dispatch> {
    const purpose = purposeOf(step);
    const invocation = invocationOf(context.subject.plan.expanded, step, purpose);
    if (invocation === null) return { kind: 'withheld', decision: null, reason: altered(step) };
    const { arguments: given, arguments_digest: approved } = invocation;
    if (digestOf('arguments', given) !== approved) return { kind: 'withheld', decision: null, reason: altered(step) };
    if (context.disabledReviewers.length > 0 && purpose === 'call') {
      return { kind: 'withheld', decision: null, reason: reviewerDisabled(step) };
    }
    // As approved, not as registered now. Policy stops a call to a changed executor; a compensation keeps its address.
    const registered = context.subject.registry;
    const current = registered.tools.get(invocation.tool.name);
    const tool =
      current?.version === invocation.tool.version
        ? current
        : await this.deps.tools.get(tx, invocation.tool.name, invocation.tool.version);
    const line = tool === null ? UNJUDGED : lineAgain(tool, invocation, context.subject.environment.production);
    const decision = await this.#decide(tx, run, context, step, { purpose, invocation, shell: line.verdict, now });
    if (decision.decision.outcome !== 'allow') {
      const until = frozenUntil(decision.decision);
      if (until !== null) return { kind: 'withheld', decision, reason: frozen(step, decision.decision.reasons, until) };
      const named = namePeople(decision.decision, await this.#reviewers(tx, context));
      return { kind: 'withheld', decision, reason: notAllowed(step, named) };
    }
    if (!line.asApproved) return { kind: 'withheld', decision, reason: otherLine(step) };
    if (tool !== null && !pathsAsApproved(tool, invocation, context.subject.environment.production)) {
      return { kind: 'withheld', decision, reason: otherPaths(step) };
    }

    const inForce = registered.executors.get(invocation.executor.name);
    const executor =
      inForce?.digest === invocation.executor.digest
        ? inForce
        : await this.deps.executors.asBound(tx, run.environmentId, invocation.executor);
    const byAgent = executor !== null && kindNamed(this.deps.executorKinds, executor.kind)?.answeredBy === 'agent';
    const agentId = byAgent ? submittingAgent(context) : null;
    if (tool === null || executor === null || (byAgent && agentId === null)) {
      return { kind: 'withheld', decision, reason: unreachable(step, invocation) };
    }
    return this.#send(tx, run, context, step, { purpose, invocation, decision, tool, executor, agentId, now });
  }

  #decide(
    tx: Tx,
    run: Run,
    context: RunContext,
    step: RunStep,
    {
      purpose,
      invocation,
      shell,
      now,
    }: Pick<Call, 'purpose' | 'invocation' | 'now'> & { readonly shell: ShellFacts | null },
  ): Promise<RecordedDecision> {
    const facts = { ...context, tenantId: tx.tenantId, now, halts: haltsOf(context, invocation.tool.name) };
    return this.deps.policy.decide(
      tx,
      'run_step',
      runStepInput(facts, run, step, purpose, { tool: invocation.tool, shell }),
      {
        subject: { type: 'run', id: run.id },
        within: [
          ...inPlan(run),
          ...(run.authority.kind === 'approval' ? [{ type: 'approval_request', id: run.authority.requestId }] : []),
          { type: 'run', id: run.id },
        ],
      },
    );
  }

  /** The people with an approval that counts: a reason names them. */
  #reviewers(tx: Tx, { approval }: RunContext): ReturnType<People['standing']> {
    // Policy names people by the ids of its input.
    return this.deps.people.standing(tx, approval?.reviewers.map(({ person_id }) => person_id as PersonId) ?? []);
  }

  async #send(
    tx: Tx,
    run: ActiveRun,
    context: RunContext,
    step: SendableStep,
    { purpose, invocation, decision, tool, executor, agentId, now }: Call,
  ): Promise<Dispatch> {
    const leaseUntil = now + tool.definition.time_limit_seconds * 1_000 + this.deps.settings.leaseMarginMs;
    const next = sent(step, { now, until: leaseUntil });
    const number = purpose === 'call' ? next.attempts : next.compensations;
    const attemptId = newId<AttemptId>();
    await this.deps.runs.saveStep(tx, next);
    await this.deps.runs.insertAttempt(tx, {
      id: attemptId,
      runId: run.id,
      stepId: step.id,
      purpose,
      number,
      fence: next.fence,
      decisionId: decision.id,
      executorName: executor.name,
      executorVersion: executor.version,
      agentId,
      argumentsDigest: invocation.arguments_digest,
      targets: invocation.targets,
      dispatchedAt: now,
      leaseUntil,
      finishedAt: null,
      outcome: null,
      effect: null,
      result: null,
      error: null,
      lateResult: null,
      lateAt: null,
    });
    const recorded = await this.deps.journal.recordOwn(tx, run, {
      type: purpose === 'call' ? 'run.step_dispatched' : 'run.compensation_dispatched',
      data: {
        ...stepFacts(next),
        attempt: number,
        tool: `${tool.name}@${String(tool.version)}`,
        executor: executor.name,
        executor_version: executor.version,
        ...(agentId === null ? {} : { agent_id: agentId }),
        targets: invocation.targets,
        arguments_digest: invocation.arguments_digest,
        ...(invocation.shell === undefined ? {} : { tree: invocation.shell.tree }),
      },
      at: now,
      decisionId: decision.id,
    });
    const awaiting = { ...recorded, nextAt: lookAgainAt(run.nextAt, now, leaseUntil), updatedAt: now };
    const { kind, url, audience, secret, settings } = executor;
    const granted = this.grantOrder(tx.tenantId, run, context, { step: next, number, purpose, invocation, audience });
    const order: DispatchOrder = {
      ...granted,
      // The grant of an agent's call is issued when the agent fetches the call.
      ...(agentId === null
        ? { ahead: await this.deps.grants.ahead(tx, granted, { since: now, until: leaseUntil }) }
        : {}),
      tool: orderedTool(tool),
      executor: { name: executor.name, kind, url, audience, secret, settings },
      arguments: invocation.arguments,
      withSecrets: true,
      idempotencyKey: idempotencyKeyOf(step.id, purpose),
    };
    return {
      kind: 'sent',
      sent: { attemptId, step: next, purpose, order, leaseUntil, run: awaiting },
    };
  }

  /** The content of the grant of a dispatched attempt, and the time until which it may be issued. */
  grantOrder(
    tenantId: TenantId,
    run: Run,
    context: RunContext,
    { step, number, purpose, invocation, audience }: CallOut,
  ): GrantOrder {
    return {
      tenantId,
      environment: context.subject.environment.name,
      basis: basisOf(run, step, purpose),
      source: { type: 'run', id: run.id },
      step: step.id,
      attempt: number,
      tool: { name: invocation.tool.name, version: invocation.tool.version },
      executor: { audience },
      argumentsDigest: invocation.arguments_digest,
      planDigest: run.planDigest,
      shell: invocation.shell ?? null,
      mayLeaveUntil: (later) => this.#mayLeaveUntil(later, run, context, step, purpose),
    };
  }

  /**
   * Whether a call that was committed as dispatched is still the one that is in flight, without a halt since. A worker may
   * have stood still for longer than its lease. Locking the run lets a halt either see the grant or be seen here.
   */
  async #mayLeaveUntil(
    tx: Tx,
    run: Run,
    context: RunContext,
    inFlight: RunStep,
    purpose: StepAttempt['purpose'],
  ): Promise<number | null> {
    if (purpose === 'compensation') return this.deps.runs.lockInFlight(tx, inFlight);
    const scope = haltScopeOf(run, context, inFlight);
    // Sent together, the lock first.
    const [leaseUntil, halts] = await Promise.all([
      this.deps.runs.lockInFlight(tx, inFlight),
      this.deps.halts.active(tx, scope),
    ]);
    return halts.length > 0 ? null : leaseUntil;
  }
}

/**
 * When to look for a call without an answer: by the end of its lease. A look too soon waits for the rest. So an earlier
 * time stays while half of the lease is left before it. Most steps then change no indexed column of their run.
 */
const lookAgainAt = (stored: number, now: number, leaseUntil: number): number =>
  stored <= leaseUntil && stored - now >= (leaseUntil - now) / 2 ? stored : leaseUntil;

/** The step with its next call in flight. */
const sent = (step: SendableStep, lease: Lease): InFlightStep =>
  step.state === 'succeeded' || step.state === 'compensating' ? undoing(step, lease) : dispatched(step, lease);

/** One call that policy allows. */
interface Call {
  readonly purpose: StepAttempt['purpose'];
  readonly invocation: ExpandedInvocation;
  readonly decision: RecordedDecision;
  readonly tool: ToolVersion;
  readonly executor: ExecutorRecord;
  /** The agent that carries it out and reports; null if an executor is called. */
  readonly agentId: AgentId | null;
  readonly now: number;
}

/** One call that is in flight: its step under the fence that counts, and which attempt it is. */
export interface CallOut {
  readonly step: InFlightStep;
  readonly number: number;
  readonly purpose: StepAttempt['purpose'];
  readonly invocation: ExpandedInvocation;
  readonly audience: string;
}

/** The same for every attempt of a call, so that a retry is recognised. */
export const idempotencyKeyOf = (stepId: RunStepId, purpose: StepAttempt['purpose']): string =>
  purpose === 'call' ? stepId : `${stepId}:undo`;

/** The halts that keep the call of a step from leaving. */
const haltScopeOf = ({ environmentId }: Run, context: RunContext, { toolName }: RunStep) => ({
  environmentId,
  agentIds: agentsOf(context),
  tools: [toolName],
});

/** The halts that keep a call of this tool from leaving. */
const haltsOf = ({ halts }: RunContext, tool: string): readonly HaltFacts[] =>
  halts.filter((halt) => halt.tool === null || halt.tool === tool).map(({ id, kind }) => ({ id, kind }));

/** An agent executes only plans that it has submitted itself. */
export const submittingAgent = ({ subject }: RunContext): AgentId | null =>
  subject.plan.submitter.kind === 'agent' ? subject.plan.submitter.id : null;

function basisOf(run: Run, step: RunStep, purpose: StepAttempt['purpose']): DispatchOrder['basis'] {
  if (purpose === 'compensation') return 'rollback';
  if (step.kind === 'health_check') return 'health_check';
  return run.authority.kind;
}
