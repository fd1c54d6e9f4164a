import { Global, Module } from '@nestjs/common';
import { AUDIT_SINK } from '#lib/audit';
import { UNIT_OF_WORK } from '#lib/database';
import { ROW_SEALS, type AuditSink, type RowSeals, type UnitOfWork } from '#lib/kernel';
import { PolicyDecisionPoint } from '#lib/policy';
import { AuthorizeToolCall, SqlCallFacts } from '#lib/session';

/** The gate of single calls. Needs the database's, audit's and policy's modules, which are global. */
@Global()
@Module({
  providers: [
    {
      provide: AuthorizeToolCall,
      inject: [UNIT_OF_WORK, ROW_SEALS, PolicyDecisionPoint, AUDIT_SINK],
      useFactory: (uow: UnitOfWork, seals: RowSeals, policy: PolicyDecisionPoint, audit: AuditSink) =>
        new AuthorizeToolCall(uow, new SqlCallFacts(seals), policy, audit),
    },
  ],
  exports: [AuthorizeToolCall],
})
export class SessionModule {}
