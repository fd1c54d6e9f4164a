import { join } from 'node:path';
import { Global, Module } from '@nestjs/common';
import { packageRoot } from '#lib/database';
import { DECISION_LOG, loadPolicyBundle, OpaWasmPolicyEngine, PolicyDecisionPoint, PostgresDecisionLog } from '#lib/policy';
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
  ],
  exports: [PolicyDecisionPoint, DECISION_LOG],
})
export class PolicyModule {}
