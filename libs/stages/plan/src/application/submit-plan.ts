import { canonicalJson, type Json } from '#lib/canonical';
import { planWords, type PlanDocument } from '#lib/formats';
import {
  actorOf,
  type AuditSink,
  type DecisionId,
  digestText,
  err,
  type Failure,
  type FieldError,
  maskSecretText,
  type AutonomyRevisionId,
  newId,
  notFound,
  ok,
  type PlanId,
  type Principal,
  type Result,
  type TaskId,
  type Tx,
  type UnitOfWork,
  inPlan,
} from '#lib/kernel';
import { stateInWords } from '#lib/words';
import { actorFacts, type PolicyDecisionPoint, type RecordedDecision } from '#lib/policy';
import { mayChangeTask, submitterOf, type Task, type TaskLifecycle } from '#lib/task';
import { changesUnder, type ToolVersion } from '#lib/tool';
import { describePlan } from '../domain/describe-plan.js';
import { expandPlan, secretNamesOf, toolNamesOf } from '../domain/expand-plan.js';
import { invocationsOf } from '../domain/invocations.js';
import { maskRefusedSecrets } from '../domain/mask-refused-secrets.js';
import { planFacts, type PlanPolicyFacts, taskFacts } from '../domain/plan-facts.js';
import { headlineOf } from '../domain/plan-headline.js';
import { BEFORE_APPROVAL, planInput } from '../domain/plan-input.js';
import type { Expansion, Plan } from '../domain/plan.js';
import type { ExplainedPlan } from './explain-plan.js';
import type { PlanResolver } from './plan-resolver.js';
import type { PlanRetirement } from './plan-retirement.js';
import type { PlanHoldings, PlanRepository } from './plan.ports.js';
import type { SubmissionFacts, SubmissionFactsReader } from './submission-facts.js';

/** The ports that {@link SubmitPlan} needs. */
export interface SubmitPlanPorts {
  readonly uow: UnitOfWork;
  readonly facts: SubmissionFactsReader;
  readonly lifecycle: TaskLifecycle;
  readonly policy: PolicyDecisionPoint;
  readonly resolver: PlanResolver;
  readonly plans: PlanRepository;
  readonly retirement: PlanRetirement;
  readonly audit: AuditSink;
}

interface Submission {
  readonly principal: Principal;
  readonly facts: SubmissionFacts;
  readonly document: PlanDocument;
  readonly draft: Pick<Plan, 'id' | 'taskId' | 'revision' | 'submitter' | 'createdAt' | 'updatedAt'>;
}

/** The outcome of an expanded submission. */
interface Validation {
  readonly expansion: Expansion;
  readonly facts: PlanPolicyFacts;
  readonly decided: RecordedDecision;
}

/** The validated revision with everything that its submitter is told. */
export interface SubmittedPlan extends ExplainedPlan {
  readonly decision: RecordedDecision;
  /** The autonomy document that it was decided by. */
  readonly autonomyRevisionId: AutonomyRevisionId | null;
}

/** Takes in a revision of a task's plan, validates it, and puts it in the place of the one before. */
export class SubmitPlan {
  constructor(private readonly ports: SubmitPlanPorts) {}

  /**
   * The validated revision. A revision that cannot be expanded (`plan.invalid`, with errors by step) is kept as
   * invalid. So is one that policy refuses (`plan.refused`, with reasons). The revision before stays live.
   * `task.not_yours`, `task.executing` and `task.closed` keep nothing.
   */
  async execute(principal: Principal, taskId: TaskId, wanted: PlanDocument): Promise<Result<SubmittedPlan>> {
    const submitter = submitterOf(principal);
    if (!submitter.ok) return submitter;
    // Arguments take references to secrets; only the agent's own words can hold a secret itself.
    const document = planWords.map(wanted, maskSecretText);
    const { uow, facts: reader, policy } = this.ports;
    return uow.run(principal.tenantId, async (tx) => {
      await policy.lockBundleHead(tx);
      const facts = await reader.hold(tx, taskId, toolNamesOf(document));
      if (facts === null) return err(notFound('task'));
      const { task, now } = facts;
      const allowed = mayChangeTask(principal, task, facts.ownerId);
      if (!allowed.ok) return allowed;
      if (task.state !== 'created' && task.state !== 'planned') return err(notOpen(task));
      const draft = {
        id: newId<PlanId>(),
        taskId: task.id,
        revision: facts.revision,
        submitter: submitter.value,
        createdAt: now,
        updatedAt: now,
      };
      return this.#validate(tx, { principal, facts, document, draft });
    });
  }

  async #validate(tx: Tx, submission: Submission): Promise<Result<SubmittedPlan>> {
    const { document, draft } = submission;
    const { task, environment, tools, executors, autonomy, now } = submission.facts;
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
      planInput(
        {
          stage: 'validate',
          tenantId: tx.tenantId,
          now,
          actor: actorFacts(submission.principal),
          task: taskFacts(task),
          environment,
          facts,
          autonomy: autonomy?.document ?? null,
          halts: [],
        },
        BEFORE_APPROVAL,
      ),
      { subject: { type: 'plan', id: draft.id }, within: inPlan({ taskId: task.id, planId: draft.id }) },
    );
    const validation = { expansion, facts, decided };
    return decided.decision.outcome === 'deny'
      ? err(await this.#keepRefused(tx, submission, validation))
      : ok(await this.#keepValidated(tx, submission, validation));
  }

  async #keepValidated(tx: Tx, submission: Submission, validation: Validation): Promise<SubmittedPlan> {
    const { principal, document, draft } = submission;
    const { task, tools, live, autonomy, now } = submission.facts;
    const { expansion, facts, decided } = validation;
    const { plans, retirement, lifecycle } = this.ports;
    if (live !== null) {
      await retirement.retire(tx, live, { cause: 'superseded', supersededBy: draft.id, principal, at: now });
    }
    const plan: Plan = {
      ...draft,
      document,
      state: 'validated',
      expansion,
      headline: headlineOf(expansion.plan, facts.tools),
      errors: [],
      decisionId: decided.id,
    };
    await plans.insert(tx, plan, holdingsOf(expansion, tools));
    await this.#record(tx, submission, plan, decided.decision.obligations.audit_level, {
      plan_digest: expansion.digest,
      calls: callsIn(expansion),
      distinct_targets: expansion.plan.distinct_targets.length,
      supersedes: live?.id ?? null,
    });
    if (task.state === 'created') {
      await lifecycle.transition(tx, task, 'plan', {
        principal,
        at: now,
        within: inPlan({ taskId: task.id, planId: plan.id }),
        decisionId: decided.id,
      });
    }
    return {
      plan,
      // No request or simulation can exist for it yet.
      status: 'validated',
      decision: decided,
      description: describePlan(expansion.plan, facts.tools),
      autonomyRevisionId: autonomy?.revisionId ?? null,
    };
  }

  async #keepRefused(tx: Tx, submission: Submission, { expansion, facts, decided }: Validation): Promise<Failure> {
    const { document, draft } = submission;
    const plan: Plan = {
      ...draft,
      document,
      state: 'invalid',
      expansion,
      headline: headlineOf(expansion.plan, facts.tools),
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
    { principal, facts: { task, environment } }: Submission,
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

const callsIn = ({ plan }: Expansion): number =>
  plan.phases.flatMap(({ batches }) => batches).reduce((sum, { calls }) => sum + calls.length, 0);

/** The tool versions that the plan names, and the targets that its state changes touch. */
function holdingsOf(expansion: Expansion, tools: ReadonlyMap<string, ToolVersion>): PlanHoldings {
  const targets = new Set<string>();
  for (const invocation of invocationsOf(expansion.plan)) {
    const tool = tools.get(invocation.tool.name);
    if (tool === undefined || !changesUnder(invocation.shell?.risk ?? tool.definition.risk)) continue;
    for (const target of invocation.targets) targets.add(target);
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
