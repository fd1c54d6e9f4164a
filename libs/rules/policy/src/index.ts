/**
 * Takes the decisions of Countersign's six gates (ADR 5): the port through which use cases ask, the log of what was decided, and the
 * Rego policies behind them, compiled to Wasm.
 *
 * Invariants: no answer, an answer of a wrong shape and an evaluation that fails are denies with a code; nothing of one
 * tenant stays in the engine for the next; an enforced decision is recorded in the transaction of its action.
 *
 * Never holds a rule of its own: rules live in `policies/`. Never fetches a fact: callers bring all of them.
 */
export { loadPolicyBundle } from './adapters/load-policy-bundle.js';
export { OpaWasmPolicyEngine } from './adapters/opa-wasm-policy-engine.js';
export { PostgresDecisionLog } from './adapters/postgres-decision-log.js';
export * from './application/decision-log.js';
export * from './application/policy-decision-point.js';
export * from './application/policy-engine.js';
export { ReadDecisions } from './application/read-decisions.js';

export { isLooser } from './domain/is-looser.js';
export { noDecision, type NoDecisionCode } from './domain/no-decision.js';
export { createPolicy, type Policy } from './create-policy.js';
