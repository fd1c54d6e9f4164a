/**
 * Takes the decisions of Countersign's five gates, and the cells of the matrix (ADR 5). Owns the port that use cases
 * ask, the log of decisions, and the Rego policies, compiled to Wasm.
 *
 * Invariants: a missing answer, an answer of a wrong shape and a failed evaluation are denies with a code. The engine keeps
 * nothing of one tenant for the next. An enforced decision is recorded in the transaction of its action.
 *
 * Never holds a rule of its own: rules live in `policies/`. Never fetches a fact: callers bring all of them.
 */
export { bundleHeadEntity, decisionEntity, policyBundleEntity } from './adapters/policy.entity.js';
export { loadPolicyEngine } from './adapters/load-policy-engine.js';
export { decisionEvidence } from './application/decision-evidence.js';
export type { LoggedDecision, DecisionLog } from './application/decision-log.js';
export { type RecordedDecision, PolicyDecisionPoint } from './application/policy-decision-point.js';
export { ReadDecisions } from './application/read-decisions.js';

export { actorFacts, callerFacts } from './domain/actor-facts.js';
export { isLooser } from './domain/is-looser.js';
export { noDecision } from './domain/no-decision.js';
export { createDecisionLog, createPolicy, type Policy } from './create-policy.js';
