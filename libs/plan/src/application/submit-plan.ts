import { canonicalJson, type Json } from '#lib/canonical';
import type { PlanDocument } from '#lib/contracts';
import {
  actorOf,
  type AuditSink,
  type DecisionId,
  digestText,
  err,
  type Failure,
  type FieldError,
  maskSecretText,
  newId,
  notFound,
  ok,
  type PlanId,
  type Principal,
  type Result,
  type TaskId,
  type Tx,
  type UnitOfWork,
  stateInWords,
  inPlan,
} from '#lib/kernel';
import type { AutonomyInForce, AutonomyReader } from '#lib/autonomy';
import type { PolicyDecisionPoint, RecordedDecision } from '#lib/policy';
import {
  type EnvironmentReader,
  type EnvironmentRecord,
  submitterOf,
  type Task,
  type TaskAccess,
  type TaskLifecycle,
  type TaskRepository,
} from '#lib/task';
import { changesState, type ToolVersion } from '#lib/tool';
import { expandPlan, secretNamesOf, toolNamesOf } from '../domain/expand-plan.js';
import { invocationsOf } from '../domain/invocations.js';
import { maskRefusedSecrets } from '../domain/mask-refused-secrets.js';
import { planFacts, type PlanPolicyFacts } from '../domain/plan-facts.js';
import { planHeadline, planRisk } from '../domain/plan-headline.js';
import type { Expansion, Plan } from '../domain/plan.js';
import { planPolicyInput } from './plan-policy-input.js';
import type { PlanResolver } from './plan-resolver.js';
import type { PlanRetirement } from './plan-retirement.js';
import type { PlanHoldings, PlanRepository } from './plan.ports.js';

/** The ports that {@link SubmitPlan} needs. */
export interface SubmitPlanPorts {
  readonly unitOfWork: UnitOfWork;
  readonly tasks: TaskRepository;
  readonly access: TaskAccess;
  readonly lifecycle: TaskLifecycle;
  readonly environments: EnvironmentReader;
  readonly autonomy: AutonomyReader;
  readonly policy: PolicyDecisionPoint;
  readonly resolver: PlanResolver;
  readonly plans: PlanRepository;
  readonly retirement: PlanRetirement;
  readonly audit: AuditSink;
}

interface Submission {
  readonly principal: Principal;
  readonly task: Task;
  readonly environment: EnvironmentRecord;
  readonly document: PlanDocument;
  readonly draft: Pick<Plan, 'id' | 'taskId' | 'revision' | 'submitter' | 'createdAt' | 'updatedAt'>;
  readonly tools: ReadonlyMap<string, ToolVersion>;
  readonly autonomy: AutonomyInForce | null;
  readonly now: number;
}

/** Takes in a revision of a task's plan, validates it, and puts it in the place of the one before. */
export class SubmitPlan {
  constructor(private readonly ports: SubmitPlanPorts) {}

  /**
   * The validated revision. A revision that cannot be expanded (`plan.invalid`, with errors by step) or that policy
   * refuses (`plan.refused`, with reasons) is kept as invalid, and the one before stays live. `task.not_yours`,
   * `task.executing` and `task.closed` keep nothing.
   */
  async execute(principal: Principal, taskId: TaskId, wanted: PlanDocument): Promise<Result<Plan>> {
    const submitter = submitterOf(principal);
    if (!submitter.ok) return submitter;
    const document = withoutSecrets(wanted);
    const { unitOfWork, tasks, access, environments, plans, policy, autonomy, resolver } = this.ports;
    return unitOfWork.run(principal.tenantId, async (tx) => {
      await policy.lockBundleHead(tx);
      const inForce = await autonomy.current(tx, { lock: 'share' });
      const tools = await resolver.holdTools(tx, toolNamesOf(document));
      const task = await tasks.lock(tx, taskId);
      if (task === undefined) return err(notFound('task'));
      const allowed = await access.mayChange(tx, principal, task);
      if (!allowed.ok) return allowed;
      if (task.state !== 'created' && task.state !== 'planned') return err(notOpen(task));
      const environment = await environments.byId(tx, task.environmentId);
      if (environment === undefined) throw new Error(`task ${task.id} has no environment`);
      const revision = await plans.nextRevision(tx, task.id);
      const now = await tx.now();
      const draft = {
        id: newId<PlanId>(),
        taskId: task.id,
        revision,
        submitter: submitter.value,
        createdAt: now,
        updatedAt: now,
      };
      return this.#validate(tx, { principal, task, environment, document, draft, tools, autonomy: inForce, now });
    });
  }

  async #validate(tx: Tx, submission: Submission): Promise<Result<Plan>> {
    const { task, environment, document, draft, tools, now } = submission;
    const executors = await this.ports.resolver.executors(tx, environment, tools);
    const toolNames = await this.ports.resolver.toolNames(tx, toolNamesOf(document), tools);
    const secrets = await this.ports.resolver.secrets(tx, secretNamesOf(document));
    const expanded = expandPlan(document, {
      task,
      revision: draft.revision,
      environment,
      tools,
      executors,
      toolNames,
      secrets,
    });
    if (!expanded.ok) return err(await this.#keepInvalid(tx, submission, expanded.error));
    const text = canonicalJson(expanded.value);
    const expansion: Expansion = { plan: expanded.value, text, digest: digestText('plan', text) };
    const facts = planFacts({ id: draft.id, digest: expansion.digest, expanded: expanded.value }, tools.values());
    const decided = await this.ports.policy.decide(
      tx,
      'plan',
      planPolicyInput({
        stage: 'validate',
        tenantId: tx.tenantId,
        now,
        principal: submission.principal,
        task,
        environment,
        facts,
        autonomy: submission.autonomy,
        halts: [],
      }),
      { subject: { type: 'plan', id: draft.id }, within: inPlan({ taskId: task.id, planId: draft.id }) },
    );
    return decided.decision.outcome === 'deny'
      ? err(await this.#keepRefused(tx, submission, expansion, decided, headlineOf(expansion, facts)))
      : this.#keepValidated(tx, submission, expansion, decided, headlineOf(expansion, facts));
  }

  async #keepValidated(
    tx: Tx,
    submission: Submission,
    expansion: Expansion,
    decided: RecordedDecision,
    headline: Plan['headline'],
  ): Promise<Result<Plan>> {
    const { principal, task, document, draft, tools, now } = submission;
    const { plans, retirement, lifecycle } = this.ports;
    const before = await plans.lockLive(tx, task.id);
    if (before !== undefined) {
      const retired = await retirement.retire(tx, before, {
        cause: 'superseded',
        supersededBy: draft.id,
        principal,
        at: now,
      });
      if (!retired.ok) return retired;
    }
    const plan: Plan = {
      ...draft,
      document,
      state: 'validated',
      expansion,
      headline,
      errors: [],
      decisionId: decided.id,
    };
    await plans.insert(tx, plan, holdingsOf(expansion, tools));
    await this.#record(tx, submission, plan, decided.decision.obligations.audit_level, {
      plan_digest: expansion.digest,
      calls: facts(expansion).calls,
      distinct_targets: expansion.plan.distinct_targets.length,
      supersedes: before?.id ?? null,
    });
    if (task.state === 'created') {
      const planned = await lifecycle.transition(tx, task, 'plan', {
        principal,
        at: now,
        within: inPlan({ taskId: task.id, planId: plan.id }),
        decisionId: decided.id,
      });
      if (!planned.ok) return planned;
    }
    return ok(plan);
  }

  async #keepRefused(
    tx: Tx,
    submission: Submission,
    expansion: Expansion,
    decided: RecordedDecision,
    headline: Plan['headline'],
  ): Promise<Failure> {
    const { document, draft } = submission;
    const plan: Plan = {
      ...draft,
      document,
      state: 'invalid',
      expansion,
      headline,
      errors: [],
      decisionId: decided.id,
    };
    await this.ports.plans.insert(tx, plan, { tools: [], targets: [] });
    await this.#record(tx, submission, plan, decided.decision.obligations.audit_level, {
      plan_digest: expansion.digest,
    });
    return {
      kind: 'unprocessable',
      code: 'plan.refused',
      message: 'Policy refuses this plan.',
      action: 'Change what the reasons name, and submit it as a new revision.',
      reasons: decided.decision.reasons,
      details: { plan_id: plan.id, revision: plan.revision, decision_id: decided.id },
    };
  }

  async #keepInvalid(tx: Tx, submission: Submission, errors: readonly FieldError[]): Promise<Failure> {
    const document = maskRefusedSecrets(submission.document, errors);
    const plan: Plan = {
      ...submission.draft,
      document,
      state: 'invalid',
      expansion: null,
      headline: null,
      errors,
      decisionId: null,
    };
    await this.ports.plans.insert(tx, plan, { tools: [], targets: [] });
    await this.#record(tx, submission, plan, 'detailed', {
      errors: errors.map(({ pointer, code }) => ({ pointer, code })),
    });
    return {
      kind: 'unprocessable',
      code: 'plan.invalid',
      message: 'The plan cannot be executed as it stands.',
      action: 'Correct the listed errors, and submit it as a new revision.',
      errors,
      details: { plan_id: plan.id, revision: plan.revision },
    };
  }

  async #record(
    tx: Tx,
    { principal, task, environment }: Submission,
    plan: Plan,
    level: Parameters<AuditSink['record']>[1]['level'],
    payload: Readonly<Record<string, Json>>,
  ): Promise<void> {
    const decisionId: DecisionId | null = plan.decisionId;
    await this.ports.audit.record(tx, {
      action: plan.state === 'validated' ? 'plan.validated' : 'plan.refused',
      actor: actorOf(principal),
      level,
      subject: { type: 'plan', id: plan.id },
      within: inPlan({ taskId: task.id, planId: plan.id }),
      ...(decisionId === null ? {} : { decisionId }),
      ...(plan.expansion === null
        ? {}
        : { evidence: [{ kind: 'plan' as const, id: plan.id, digest: plan.expansion.digest }] }),
      payload: { revision: plan.revision, environment: environment.name, task_digest: task.digest, ...payload },
    });
  }
}

const headlineOf = ({ plan }: Expansion, { tools }: PlanPolicyFacts): NonNullable<Plan['headline']> => ({
  headline: planHeadline(plan, tools),
  risk: planRisk(tools),
});

const facts = (expansion: Expansion): { readonly calls: number } => ({
  calls: expansion.plan.phases.reduce(
    (sum, phase) => sum + phase.batches.reduce((calls, batch) => calls + batch.calls.length, 0),
    0,
  ),
});

/** The agent's own words without secrets, which would go wherever they are shown. Arguments take references to secrets. */
const withoutSecrets = (document: PlanDocument): PlanDocument =>
  document.summary === undefined ? document : { ...document, summary: maskSecretText(document.summary) };

/** The tool versions that the plan names, and the targets that its state changes touch. */
function holdingsOf(expansion: Expansion, tools: ReadonlyMap<string, ToolVersion>): PlanHoldings {
  const targets = new Set<string>();
  for (const invocation of invocationsOf(expansion.plan)) {
    const tool = tools.get(invocation.tool.name);
    if (tool !== undefined && changesState(tool)) for (const target of invocation.targets) targets.add(target);
  }
  return { tools: [...tools.values()].map(({ id, name }) => ({ id, name })), targets: [...targets] };
}

const notOpen = (task: Task): Failure =>
  task.state === 'executing'
    ? {
        kind: 'conflict',
        code: 'task.executing',
        message: 'A run of this task is under way.',
        action: 'Wait for the run to end, or cancel it, and submit the revision then.',
      }
    : {
        kind: 'conflict',
        code: 'task.closed',
        message: `The task is ${stateInWords(task.state)}.`,
        action: 'Create a new task.',
      };
