/**
 * Dispatch sends calls to tools: grants, which a tool server checks before it acts, and executors, which reach it.
 *
 * Each kind of executor is a folder in executors/ and a line in its registry. The folder holds its settings, their check,
 * its destination in words and its dispatcher.
 *
 * Owns the signing keys of grants, their redemption, and the outbound connection with its address rules. Every
 * dispatch, a simulation's included, carries a grant; nothing else in Countersign calls a tool. It decides nothing:
 * the caller has decided before it hands over an order.
 */
export { callGrantEntity, grantKeyEntity } from './adapters/grant.entity.js';
export type { GuardedFetch } from './adapters/guarded-fetch.js';
export {
  createDispatch,
  createGrants,
  createGrantStore,
  createSecretResolver,
  createWaysOut,
  type Dispatch,
} from './create-dispatch.js';
export { serverOnRunner, type ServerOnRunner } from './executors/mcp/server-on-runner.js';
export type { KeptAnswer, KeptAnswers, SentCallName, RecordsAnswers } from './application/kept-answers.port.js';
export type {
  PoolMcpServer,
  PoolReach,
  RunnerCall,
  RunnerCallEnd,
  RunnerCalls,
  StandingRunnerCall,
} from './application/runner-calls.port.js';
export type { SecretResolver } from './application/secret-resolver.port.js';
export type { GrantRevoker } from './application/grant.ports.js';
export { GrantKeyring } from './application/grant-keyring.js';
export { IssueGrant } from './application/issue-grant.js';
export { RedeemGrant } from './application/redeem-grant.js';
export {
  NOT_TAKEN,
  type DispatchOrder,
  type DispatchOutcome,
  type GrantOrder,
  type ToolDispatcher,
} from './application/tool-dispatcher.port.js';
export { unrecordable } from './application/recordable-outcome.js';
export { EXECUTOR_KINDS } from './executors/registry.js';
export { runnersOfPool } from './executors/runner/runners-of-pool.js';
export { ExecutorDispatcher } from './executors/executor-dispatcher.js';
export { readOwnSettings } from './executors/own-settings.js';
export {
  kindNamed,
  workspacePoolOf,
  type AddressVerdict,
  type ExecutorKind,
  type ExecutorKinds,
  type ExecutorSettings,
  type WantedSettings,
} from './executors/executor-kind.js';
export { secretReferences, withoutSecrets } from './domain/secret-references.js';
export { JWKS_MAX_AGE_SECONDS } from './domain/grant-key.js';
