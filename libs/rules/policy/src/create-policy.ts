import type { UnitOfWork } from '#lib/kernel';
import { PostgresDecisionLog } from './adapters/postgres-decision-log.js';
import type { DecisionLog } from './application/decision-log.js';
import { PolicyDecisionPoint } from './application/policy-decision-point.js';
import type { PolicyEngine } from './application/policy-engine.js';
import { PolicyEvidence } from './application/policy-evidence.js';
import { ReadDecisions } from './application/read-decisions.js';

/** The decision point that every stage asks, and what it recorded. */
export type Policy = ReturnType<typeof createPolicy>;

export function createPolicy({ uow, engine }: { readonly uow: UnitOfWork; readonly engine: PolicyEngine }) {
  const decisions: DecisionLog = new PostgresDecisionLog();
  return {
    decisions,
    decisionPoint: new PolicyDecisionPoint(engine, decisions),
    policyEvidence: new PolicyEvidence(decisions),
    readDecisions: new ReadDecisions(uow, decisions),
  };
}
