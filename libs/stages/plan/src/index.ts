/**
 * Plans: how a task is to be done. The second stage of the main job.
 *
 * Owns plan revisions, their expansion, the grammar of conditions, and a plan's shown status.
 * Invariants: a revision never changes; at most one revision of a task is live; the expansion alone is digested, shown
 * and executed; the same document with the same tools always expands to the same bytes; superseding or withdrawing
 * tells `PlanSupersededListener`s in its own transaction.
 *
 * Never decides: policy does, from `planFacts`. Never simulates, asks for approval or executes: later stages do.
 */
export type { SqlPlanContents } from './adapters/sql-plan-contents.js';
export { planEntity, planToolEntity } from './adapters/plan.entity.js';
export { DiffPlans, type ComparedPlans } from './application/diff-plans.js';
export type { ExplainedPlan } from './application/explain-plan.js';
export { GetPlan } from './application/get-plan.js';
export { ListPlans } from './application/list-plans.js';
export { PlanResolver } from './application/plan-resolver.js';
export { ReadDescription } from './application/read-description.js';
export { ReadHeadlines } from './application/read-headlines.js';
export { SubmitPlan } from './application/submit-plan.js';
export { WithdrawPlan } from './application/withdraw-plan.js';
export type { PlanFilter, PlanRepository, PlanSuperseded, PlanSupersededListener } from './application/plan.ports.js';
export { checkOf, evaluateCondition, metricsOf } from './domain/condition.js';
export { diffPlans, type PlanDiff } from './domain/diff-plans.js';
export type { ValueChange } from './domain/diff-json.js';
export { describePlan } from './domain/describe-plan.js';
export {
  type PlanDescription,
  type ShownArgument,
  type ShownLine,
  type ShownPhase,
  type ShownSide,
  type ShownStep,
} from './domain/plan-description.js';
export { headlineOf, type PlanHeadline } from './domain/plan-headline.js';
export { wholeEnvironment } from './domain/expand-invocation.js';
export { callsOf, invocationsOf } from './domain/invocations.js';
export { judgeLine, type JudgedLine } from './domain/judge-line.js';
export { judgePathsOf } from './domain/judge-paths-of.js';
export { conditionGrammar, parseCondition } from './domain/parse-condition.js';
export { expansionDigest, planFacts, type PlanPolicyFacts, taskFacts, toolKeyOf } from './domain/plan-facts.js';
export { BEFORE_APPROVAL, planInput } from './domain/plan-input.js';
export { type Expansion, isLive, type ListedPlan, type Plan } from './domain/plan.js';
export { PLAN_TRANSITIONS } from './domain/plan-transitions.js';
export { createPlans, createPlanStore, type Plans } from './create-plans.js';
