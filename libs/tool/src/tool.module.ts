import { Module, type DynamicModule } from '@nestjs/common';
import { AUDIT_SINK } from '#lib/audit';
import { UNIT_OF_WORK } from '#lib/database';
import { GUARDRAIL, type AuditSink, type Guardrail, type UnitOfWork } from '#lib/kernel';
import {
  ChangeCatalog,
  EXECUTOR_DIRECTORY,
  PutExecutor,
  ReadRegistry,
  TOOL_REGISTRY,
  TypeormEnvironmentNames,
  TypeormExecutorRepository,
  TypeormSecretNames,
  TypeormToolRepository,
  TypeormToolUsage,
  type OutboundAddresses,
} from '#lib/tool';

const tools = new TypeormToolRepository();
const usage = new TypeormToolUsage();
const executors = new TypeormExecutorRepository();
const environments = new TypeormEnvironmentNames();
const secrets = new TypeormSecretNames();

/** Tools and executors. Needs the database's, the audit log's and the guardrail's modules, which are global. */
@Module({})
export class ToolModule {
  /** @param addresses the operator's rule for where tool servers may stand. */
  static of(addresses: OutboundAddresses): DynamicModule {
    const providers = [
      { provide: TOOL_REGISTRY, useValue: tools },
      { provide: EXECUTOR_DIRECTORY, useValue: executors },
      {
        provide: ChangeCatalog,
        inject: [UNIT_OF_WORK, GUARDRAIL, AUDIT_SINK],
        useFactory: (uow: UnitOfWork, guardrail: Guardrail, audit: AuditSink) =>
          new ChangeCatalog(uow, tools, usage, guardrail, audit),
      },
      {
        provide: PutExecutor,
        inject: [UNIT_OF_WORK, GUARDRAIL, AUDIT_SINK],
        useFactory: (uow: UnitOfWork, guardrail: Guardrail, audit: AuditSink) =>
          new PutExecutor(uow, executors, environments, secrets, addresses, guardrail, audit),
      },
      {
        provide: ReadRegistry,
        inject: [UNIT_OF_WORK],
        useFactory: (uow: UnitOfWork) => new ReadRegistry(uow, tools, executors, environments),
      },
    ];
    return { module: ToolModule, global: true, providers, exports: providers.map(({ provide }) => provide) };
  }
}
