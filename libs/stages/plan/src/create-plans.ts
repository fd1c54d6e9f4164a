import type { AuditSink, RowSeals, UnitOfWork } from '#lib/kernel';
import type { Policy } from '#lib/policy';
import type { Tasks } from '#lib/task';
import type { Tools } from '#lib/tool';
import { SqlPlanContents } from './adapters/sql-plan-contents.js';
import { SqlSubmissionFacts } from './adapters/sql-submission-facts.js';
import { SqlPlanRepository } from './adapters/sql-plan.repository.js';
import { DiffPlans } from './application/diff-plans.js';
import { ExplainPlan } from './application/explain-plan.js';
import { GetPlan } from './application/get-plan.js';
import { ListPlans } from './application/list-plans.js';
import { PlanEvidence } from './application/plan-evidence.js';
import { PlanResolver } from './application/plan-resolver.js';
import { PlanRetirement } from './application/plan-retirement.js';
import type { PlanRepository, PlanSupersededListener } from './application/plan.ports.js';
import { ReadDescription } from './application/read-description.js';
import { ReadHeadlines } from './application/read-headlines.js';
import type { SubmissionFactsReader } from './application/submission-facts.js';
import { SubmitPlan } from './application/submit-plan.js';
import { WithdrawCancelledPlan } from './application/withdraw-cancelled-plan.js';
import { WithdrawPlan } from './application/withdraw-plan.js';

/** The stored plans, and the facts that a submission is judged by. */
export interface PlanRows {
  readonly plans: PlanRepository;
  readonly facts: SubmissionFactsReader;
}

/** The ports of this library that keep rows, over PostgreSQL. */
export function createPlanStore(seals: RowSeals): PlanRows & { readonly contents: SqlPlanContents } {
  const contents = new SqlPlanContents();
  return { contents, plans: new SqlPlanRepository(contents), facts: new SqlSubmissionFacts(seals) };
}

export interface PlanDeps {
  readonly uow: UnitOfWork;
  readonly rows: PlanRows;
  readonly audit: AuditSink;
  readonly task: Pick<Tasks, 'tasks' | 'access' | 'lifecycle'>;
  readonly policy: Pick<Policy, 'decisionPoint' | 'decisions'>;
  readonly tool: Pick<Tools, 'tools' | 'executors' | 'secretNames'>;
  readonly superseded: readonly PlanSupersededListener[];
}

/** Plans. */
export type Plans = ReturnType<typeof createPlans>;

export function createPlans({ uow, rows: { plans, facts }, audit, task, policy, tool, superseded }: PlanDeps) {
  const { tasks, access, lifecycle } = task;
  const resolver = new PlanResolver(tool.tools, tool.executors, plans, tool.secretNames);
  const retirement = new PlanRetirement(plans, audit, superseded);
  const readDescription = new ReadDescription(plans, resolver);
  const explaining = new ExplainPlan(policy.decisions, readDescription);
  return {
    plans,
    resolver,
    readDescription,
    submitPlan: new SubmitPlan({
      uow,
      facts,
      lifecycle,
      policy: policy.decisionPoint,
      resolver,
      plans,
      retirement,
      audit,
    }),
    withdrawPlan: new WithdrawPlan(uow, tasks, access, plans, retirement, explaining),
    withdrawCancelledPlan: new WithdrawCancelledPlan(plans, retirement),
    getPlan: new GetPlan(uow, plans, explaining),
    readHeadlines: new ReadHeadlines(uow, plans),
    listPlans: new ListPlans(uow, tasks, plans),
    diffPlans: new DiffPlans(uow, plans),
    planEvidence: new PlanEvidence(plans, tasks, resolver),
  };
}
