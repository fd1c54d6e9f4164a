import type { ExecutorKinds } from '#lib/dispatch';
import type { AuditSink, TwoPersonRule, UnitOfWork } from '#lib/kernel';
import type { EnvironmentRepository } from '#lib/tenancy';
import { SqlExecutorRepository } from './adapters/sql-executor-repository.js';
import { SqlSecretNames } from './adapters/sql-secret-names.js';
import { SqlToolRepository } from './adapters/sql-tool-repository.js';
import { SqlToolUsage } from './adapters/sql-tool-usage.js';
import { ChangeCatalog } from './application/change-catalog.js';
import { PutExecutor, type OutboundAddresses } from './application/put-executor.js';
import { ReadRegistry } from './application/read-registry.js';
import type { ExecutorRepository, SecretNames, ToolRepository } from './application/tool.ports.js';

export interface ToolDeps {
  readonly uow: UnitOfWork;
  readonly environments: Pick<EnvironmentRepository, 'byName'>;
  readonly twoPersonRule: TwoPersonRule;
  readonly audit: AuditSink;
  /** The operator's rule for the addresses of tool servers. */
  readonly addresses: OutboundAddresses;
  readonly executorKinds: ExecutorKinds;
}

/** Tools and executors. */
export type Tools = ReturnType<typeof createTools>;

export function createTools({ uow, environments, twoPersonRule, audit, addresses, executorKinds }: ToolDeps) {
  const tools: ToolRepository = new SqlToolRepository();
  const executors: ExecutorRepository = new SqlExecutorRepository();
  const secretNames: SecretNames = new SqlSecretNames();
  return {
    tools,
    executors,
    secretNames,
    changeCatalog: new ChangeCatalog(uow, tools, new SqlToolUsage(), twoPersonRule, audit),
    putExecutor: new PutExecutor({
      uow,
      executors,
      environments,
      secrets: secretNames,
      addresses,
      twoPersonRule,
      audit,
      kinds: executorKinds,
    }),
    readRegistry: new ReadRegistry(uow, tools, executors, environments, executorKinds),
  };
}
