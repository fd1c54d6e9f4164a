import type { RowSeals, TenantId, UnitOfWork } from '#lib/kernel';
import type { AllowedPrivateHosts } from '#lib/outbound';
import type { Keys, KeyWrapping, SecretVault } from '#lib/tenancy';
import { GrantKeyring } from './application/grant-keyring.js';
import type { GrantKeyStore, GrantRepository, GrantRevoker } from './application/grant.ports.js';
import { IssueGrant } from './application/issue-grant.js';
import { RedeemGrant } from './application/redeem-grant.js';
import { RevokeGrants } from './application/revoke-grants.js';
import type { KeptAnswers } from './application/kept-answers.port.js';
import type { RunnerCalls } from './application/runner-calls.port.js';
import type { SecretResolver } from './application/secret-resolver.port.js';
import type { ToolDispatcher } from './application/tool-dispatcher.port.js';
import { guardedFetch, type GuardedFetch } from './adapters/guarded-fetch.js';
import { TenantAgents } from './adapters/tenant-agents.js';
import { TypeormGrantKeyStore } from './adapters/typeorm-grant-key.store.js';
import { SqlGrantRepository } from './adapters/sql-grant.repository.js';
import { VaultSecretResolver } from './adapters/vault-secret-resolver.js';
import { ExecutorDispatcher } from './executors/executor-dispatcher.js';
import type { ExecutorKinds, WayOut } from './executors/executor-kind.js';
import { keptAnswersOf } from './executors/kept-answers-of.js';
import { McpServerReader } from './executors/mcp/mcp-server-reader.js';

export interface DispatchDeps {
  readonly uow: UnitOfWork;
  readonly keys: Pick<Keys, 'wrapping' | 'seals'>;
  readonly vault: SecretVault;
  /** Countersign's own address, as tool servers reach it: the issuer of its grants. */
  readonly issuer: string;
  readonly allowedPrivateHosts: AllowedPrivateHosts;
  /** The operator names a tenant by its slug in `allowedPrivateHosts`. */
  readonly slugOf: (tenantId: TenantId) => Promise<string>;
  readonly executorKinds: ExecutorKinds;
  /** Calls that runners fetch. */
  readonly runnerCalls: RunnerCalls;
}

export interface Dispatch {
  readonly dispatcher: ToolDispatcher;
  /** Answers that a dead worker has not recorded. */
  readonly keptAnswers: KeptAnswers;
  readonly keys: GrantKeyring;
  readonly redeem: RedeemGrant;
  /** Grants that are written with their calls, or fetched by those who carry out their calls themselves. */
  readonly issue: IssueGrant;
  readonly revoker: GrantRevoker;
  /** For looks at upstream MCP servers. */
  readonly mcpServers: McpServerReader;
  /** For every other request to an address that a tenant named. */
  readonly fetch: GuardedFetch;
}

/** The ways to the servers of tenants, over grants and secrets that are given. */
export function createWaysOut({
  executorKinds,
  allowedPrivateHosts,
  slugOf,
  ...parts
}: Pick<DispatchDeps, 'allowedPrivateHosts' | 'slugOf' | 'executorKinds'> & Omit<WayOut, 'agents'>) {
  const agents = new TenantAgents(allowedPrivateHosts, slugOf);
  const out: WayOut = { ...parts, agents };
  const dispatcher: ToolDispatcher = new ExecutorDispatcher(executorKinds, out);
  return {
    dispatcher,
    keptAnswers: keptAnswersOf(executorKinds, out),
    mcpServers: new McpServerReader(parts.secrets, agents, parts.runnerCalls),
    fetch: guardedFetch(agents),
  };
}

/** The stored grants, and the keys that sign them. */
export interface GrantRows {
  readonly grants: GrantRepository;
  readonly grantKeys: GrantKeyStore;
}

/** The ports of grants that keep rows, over PostgreSQL. */
export const createGrantStore = (uow: UnitOfWork, wrapping: KeyWrapping, seals: RowSeals): GrantRows => ({
  grants: new SqlGrantRepository(seals),
  grantKeys: new TypeormGrantKeyStore(uow, wrapping, seals),
});

export interface GrantDeps extends Pick<DispatchDeps, 'uow' | 'issuer'> {
  readonly rows: GrantRows;
  /** The clock of this process, in milliseconds. */
  readonly monotonicMs?: () => number;
}

/** The use cases of grants. */
export function createGrants({ uow, rows: { grants, grantKeys }, issuer, monotonicMs }: GrantDeps) {
  const keys = new GrantKeyring(grantKeys, monotonicMs);
  return {
    keys,
    issue: new IssueGrant(uow, grants, keys, issuer, monotonicMs),
    redeem: new RedeemGrant(uow, grants, keys),
    revoker: new RevokeGrants(grants),
  };
}

/** The whole way out. */
export function createDispatch({ uow, keys: { wrapping, seals }, vault, issuer, ...out }: DispatchDeps): Dispatch {
  const grants = createGrants({ uow, rows: createGrantStore(uow, wrapping, seals), issuer });
  return {
    ...createWaysOut({ ...out, issueGrant: grants.issue, secrets: createSecretResolver(uow, vault) }),
    ...grants,
  };
}

/** Finds the values of a tenant's secrets, each for one use that it is bound to. */
export const createSecretResolver = (uow: UnitOfWork, vault: SecretVault): SecretResolver =>
  new VaultSecretResolver(uow, vault);
