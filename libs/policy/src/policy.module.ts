import { join } from 'node:path';
import { Global, Module } from '@nestjs/common';
import { packageRoot, UNIT_OF_WORK } from '#lib/database';
import type { UnitOfWork } from '#lib/kernel';
import {
  DECISION_LOG,
  loadPolicyBundle,
  OpaWasmPolicyEngine,
  PolicyDecisionPoint,
  PolicyEvidence,
  PostgresDecisionLog,
  ReadDecisions,
} from '#lib/policy';
import type { DecisionLog } from '#lib/policy';

/** One compiled bundle a process, behind the decision point that every stage asks. */
@Global()
@Module({
  providers: [
    { provide: DECISION_LOG, useFactory: (): DecisionLog => new PostgresDecisionLog() },
    {
      provide: PolicyDecisionPoint,
      inject: [DECISION_LOG],
      useFactory: (log: DecisionLog): PolicyDecisionPoint =>
        new PolicyDecisionPoint(new OpaWasmPolicyEngine(loadPolicyBundle(join(packageRoot(), 'policies'))), log),
    },
    {
      provide: PolicyEvidence,
      inject: [DECISION_LOG],
      useFactory: (log: DecisionLog): PolicyEvidence => new PolicyEvidence(log),
    },
    {
      provide: ReadDecisions,
      inject: [UNIT_OF_WORK, DECISION_LOG],
      useFactory: (unitOfWork: UnitOfWork, log: DecisionLog): ReadDecisions => new ReadDecisions(unitOfWork, log),
    },
  ],
  exports: [PolicyDecisionPoint, PolicyEvidence, ReadDecisions, DECISION_LOG],
})
export class PolicyModule {}
