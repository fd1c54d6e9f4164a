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
import type { ExecutorRepository, SecretNames, ToolRepository, ToolUsage } from './application/tool.ports.js';

/** The stored tools and executors, the names of secrets, and the plans that use a tool. */
export interface ToolRows {
  readonly tools: ToolRepository;
  readonly executors: ExecutorRepository;
  readonly secretNames: SecretNames;
  readonly usage: ToolUsage;
}

/** The ports of this library that read and keep rows, over PostgreSQL. */
export const createToolStore = (): ToolRows => ({
  tools: new SqlToolRepository(),
  executors: new SqlExecutorRepository(),
  secretNames: new SqlSecretNames(),
  usage: new SqlToolUsage(),
});

export interface ToolDeps {
  readonly uow: UnitOfWork;
  readonly rows: ToolRows;
  readonly environments: Pick<EnvironmentRepository, 'byName'>;
  readonly twoPersonRule: TwoPersonRule;
  readonly audit: AuditSink;
  /** The operator's rule for the addresses of tool servers. */
  readonly addresses: OutboundAddresses;
  readonly executorKinds: ExecutorKinds;
}

/** Tools and executors. */
export type Tools = ReturnType<typeof createTools>;

export function createTools({ uow, rows, environments, twoPersonRule, audit, addresses, executorKinds }: ToolDeps) {
  const { tools, executors, secretNames, usage } = rows;
  return {
    tools,
    executors,
    secretNames,
    changeCatalog: new ChangeCatalog(uow, tools, usage, twoPersonRule, audit),
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
