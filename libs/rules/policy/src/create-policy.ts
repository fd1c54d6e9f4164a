import type { UnitOfWork } from '#lib/kernel';
import { SqlDecisionLog } from './adapters/sql-decision-log.js';
import type { DecisionLog } from './application/decision-log.js';
import { PolicyDecisionPoint } from './application/policy-decision-point.js';
import type { PolicyEngine } from './application/policy-engine.js';
import { PolicyEvidence } from './application/policy-evidence.js';
import { ReadDecisions } from './application/read-decisions.js';

/** The recorded decisions, over PostgreSQL. */
export const createDecisionLog = (): DecisionLog => new SqlDecisionLog();

export interface PolicyDeps {
  readonly uow: UnitOfWork;
  readonly engine: PolicyEngine;
  readonly decisions: DecisionLog;
}

/** The decision point of every stage, and its recorded decisions. */
export type Policy = ReturnType<typeof createPolicy>;

export function createPolicy({ uow, engine, decisions }: PolicyDeps) {
  return {
    decisions,
    decisionPoint: new PolicyDecisionPoint(engine, decisions),
    policyEvidence: new PolicyEvidence(decisions),
    readDecisions: new ReadDecisions(uow, decisions),
  };
}
