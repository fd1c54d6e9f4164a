import { Module, type DynamicModule } from '@nestjs/common';
import { AUDIT_LOG, AUDIT_SINK, auditLog, type AuditLog, type AuditLogOptions } from '#lib/audit';
import { SYSTEM_QUERY, UNIT_OF_WORK, type SystemQuery } from '#lib/database';
import type { AuditSink, UnitOfWork } from '#lib/kernel';

/** The audit log for the whole application: the sink that every stage is given, and the log's own use cases. */
@Module({})
export class AuditModule {
  static of(keys: Pick<AuditLogOptions, 'keyDirectory' | 'keyring'>): DynamicModule {
    return {
      module: AuditModule,
      global: true,
      providers: [
        {
          provide: AUDIT_LOG,
          inject: [UNIT_OF_WORK, SYSTEM_QUERY],
          useFactory: (unitOfWork: UnitOfWork, systemQuery: SystemQuery): AuditLog =>
            auditLog({ unitOfWork, systemQuery, ...keys }),
        },
        { provide: AUDIT_SINK, inject: [AUDIT_LOG], useFactory: (log: AuditLog): AuditSink => log.sink },
      ],
      exports: [AUDIT_LOG, AUDIT_SINK],
    };
  }
}
