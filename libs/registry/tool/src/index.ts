/**
 * The tool registry and the risk taxonomy: the tools of a tenant, and every version of each. Also their executors in
 * each environment, and the schemas of their arguments.
 *
 * Owns tools, tool versions and executors. Invariants: a version never changes; each tool has one row of its current version; a
 * level is derived by one table and never declared; a tool in use by a live plan is neither removed nor loosened; a
 * secret never stands in arguments. It decides nothing about whether a tool may be called: policies do.
 */
export { executorEntity, executorVersionEntity, toolEntity, toolVersionEntity } from './adapters/tool.entity.js';
export { toolVersionOf } from './adapters/sql-tool-repository.js';
export type { ExecutorId } from './domain/ids.js';
export { level } from './domain/level.js';
export { orderedTool } from './domain/ordered-tool.js';
export { toolFacts } from './domain/tool-facts.js';

export { commandLineOf } from './domain/command-line-of.js';
export { unjudgedPaths } from './domain/path-errors.js';
export { pathsOf } from './domain/paths-of.js';
export { changesUnder, liftsRisk, isWorse, judgedFacts, riskOfLine, riskOfPaths } from './domain/judged-facts.js';
export { identityOf } from './domain/identity-of.js';
export { changesState, targetsOf } from './domain/targets-of.js';
export { secretsOf, validateArguments } from './domain/validate-arguments.js';
export { planCatalogChange } from './domain/plan-catalog-change.js';
export { completeDefinition } from './domain/complete-definition.js';
export { destinationAsPut, isAsPut, ownAudience } from './domain/executor-document.js';
export { escapePointer, stringsAt, valueAt } from './domain/json-pointer.js';
export type { ExecutorRecord, ToolVersion } from './domain/tool-version.js';
export { ChangeCatalog, type CatalogChangeResult } from './application/change-catalog.js';
export { ReadRegistry, type ExecutorInEnvironment } from './application/read-registry.js';
export { requireAdmin } from './application/require-admin.js';
export { PutExecutor, type OutboundAddresses } from './application/put-executor.js';
export type {
  ExecutorDirectory,
  ExecutorRepository,
  SecretNames,
  RecordedToolVersion,
  ToolRegistry,
  ToolRepository,
} from './application/tool.ports.js';
export { createTools, createToolStore, type Tools } from './create-tools.js';
