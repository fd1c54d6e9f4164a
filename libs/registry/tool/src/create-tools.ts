import type { AuditSink, Guardrail, UnitOfWork } from '#lib/kernel';
import { TypeormEnvironmentNames, TypeormExecutorRepository } from './adapters/typeorm-executor-repository.js';
import { TypeormSecretNames } from './adapters/typeorm-secret-names.js';
import { TypeormToolRepository } from './adapters/typeorm-tool-repository.js';
import { TypeormToolUsage } from './adapters/typeorm-tool-usage.js';
import { ChangeCatalog } from './application/change-catalog.js';
import { PutExecutor, type OutboundAddresses } from './application/put-executor.js';
import { ReadRegistry } from './application/read-registry.js';
import type { ExecutorRepository, SecretNames, ToolRepository } from './application/tool.ports.js';

export interface ToolDeps {
  readonly uow: UnitOfWork;
  readonly guardrail: Guardrail;
  readonly audit: AuditSink;
  /** The operator's rule for where tool servers may stand. */
  readonly addresses: OutboundAddresses;
}

/** Tools and executors. */
export type Tools = ReturnType<typeof createTools>;

export function createTools({ uow, guardrail, audit, addresses }: ToolDeps) {
  const tools: ToolRepository = new TypeormToolRepository();
  const executors: ExecutorRepository = new TypeormExecutorRepository();
  const secretNames: SecretNames = new TypeormSecretNames();
  const environments = new TypeormEnvironmentNames();
  return {
    tools,
    executors,
    secretNames,
    changeCatalog: new ChangeCatalog(uow, tools, new TypeormToolUsage(), guardrail, audit),
    putExecutor: new PutExecutor(uow, executors, environments, secretNames, addresses, guardrail, audit),
    readRegistry: new ReadRegistry(uow, tools, executors, environments),
  };
}
