import type { AllowedPrivateHosts } from '#lib/outbound';
import { createChangeRequests, createChangeRequestStore } from '#lib/change-request';
import type { SystemQuery } from '#lib/database';
import { createDispatch, createSecretResolver, EXECUTOR_KINDS as executorKinds } from '#lib/dispatch';
import { createDirectory, createIdentity, createIdentityStore, nodeRandomBytes } from '#lib/identity';
import { FailureError, type AuditSink, type Outbox, type TenantId, type UnitOfWork } from '#lib/kernel';
import { createMcpLooks, createMcpUpstreams } from '#lib/mcp-upstream';
import { createFactorMethods, createMfa, createMfaStore } from '#lib/mfa';
import { createDecisionLog, createPolicy } from '#lib/policy';
import { createPoolWake, createRunnerPool, createRunnerPoolStore, createRunnerSignals } from '#lib/runner-pool';
import { createIssuerGateway, createSignIn, createSignInStore } from '#lib/sign-in';
import { createTenancy, createTenancyStore, type Keys, type SealedElsewhere } from '#lib/tenancy';
import { createTools, createToolStore } from '#lib/tool';
import { AddressRules } from './address-rules.js';

type ChangeRequestDeps = Parameters<typeof createChangeRequests>[0];

/** The ports that the libraries before the stages share. The last five are offered by later libraries. */
export interface CoreDeps {
  readonly uow: UnitOfWork;
  readonly system: SystemQuery;
  readonly notifications: Parameters<typeof createRunnerSignals>[0];
  readonly keys: Keys;
  readonly audit: AuditSink;
  readonly outbox: Outbox;
  readonly engine: Parameters<typeof createPolicy>[0]['engine'];
  readonly publicUrl: string;
  readonly allowedPrivateHosts: AllowedPrivateHosts;
  readonly offerMs: number;
  readonly changeListener: ChangeRequestDeps['listener'];
  readonly impact: ChangeRequestDeps['impact'];
  readonly agentDisabled: Parameters<typeof createIdentity>[0]['agentDisabled'];
  readonly sessions: Parameters<typeof createRunnerPool>[0]['sessions'];
  /** Beside the secrets of tenancy and second factors. */
  readonly sealedElsewhere: readonly SealedElsewhere[];
}

/** The libraries before the stages. */
export type Core = ReturnType<typeof createCore>;

const portOf = ({ port, protocol }: URL): number => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port));

/**
 * Wires the libraries that the stages stand on: tenants, people, policies, tools and the way out. For an installation and
 * for the tests' worlds, as {@link createStages}.
 */
export function createCore(deps: CoreDeps) {
  const { uow, system, keys, audit, outbox, publicUrl, allowedPrivateHosts } = deps;
  const { seals, digests } = keys;
  const random = nodeRandomBytes;
  const directory = createDirectory({ system, seals });
  const changes = createChangeRequests({
    ...{ uow, audit, outbox, directory, publicUrl },
    rows: createChangeRequestStore(seals, directory.people),
    listener: deps.changeListener,
    impact: deps.impact,
  });
  const { twoPersonRule } = changes;
  const { methods, staleFactorSecrets, passkeyHosts } = createFactorMethods({
    ...{ uow, system, cipher: keys.cipher, publicUrl },
  });
  const tenancy = createTenancy({
    ...{ uow, keys, audit, twoPersonRule },
    rows: createTenancyStore(),
    elsewhere: [staleFactorSecrets, ...deps.sealedElsewhere],
  });
  const { environments, vault } = tenancy;
  const slugOf = async (id: TenantId): Promise<string> => {
    const tenant = await tenancy.getTenant.execute(id);
    if (!tenant.ok) throw new FailureError(tenant.error);
    return tenant.value.slug;
  };
  const addresses = new AddressRules(allowedPrivateHosts, slugOf);
  const mfa = createMfa({
    ...{ uow, methods, digests, random, twoPersonRule, audit },
    rows: createMfaStore(seals),
    people: directory.people,
  });
  const identity = createIdentity({
    ...{ uow, directory, digests, random, audit, outbox, twoPersonRule },
    rows: createIdentityStore({ system, seals }),
    proofs: mfa.proofs,
    tenants: tenancy.foundTenant,
    passkeys: mfa.passkeyKeeper,
    agentDisabled: deps.agentDisabled,
  });
  const policy = createPolicy({ uow, engine: deps.engine, decisions: createDecisionLog() });
  const tool = createTools({
    ...{ uow, environments, twoPersonRule, audit, addresses, executorKinds },
    rows: createToolStore(),
  });
  const runnerPool = createRunnerPool({
    ...{ uow, digests, environments, twoPersonRule, audit, publicUrl },
    rows: createRunnerPoolStore({ system, seals, texts: keys.texts }),
    signals: createRunnerSignals(deps.notifications),
    wake: createPoolWake(uow),
    tools: tool.tools,
    secrets: createSecretResolver(uow, vault),
    sessions: deps.sessions,
    offerMs: deps.offerMs,
  });
  const dispatch = createDispatch({
    ...{ uow, keys, vault, allowedPrivateHosts, slugOf, executorKinds },
    issuer: publicUrl,
    runnerCalls: runnerPool.calls,
  });
  const signIn = createSignIn({
    ...{ uow, keys, random, directory, identity, mfa, vault, twoPersonRule, audit, publicUrl },
    ...{ allowedPrivateHosts, slugOf },
    rows: createSignInStore({ system, seals }),
    gateway: createIssuerGateway(dispatch.fetch),
    tenants: tenancy.tenants,
  });
  const mcpUpstream = createMcpUpstreams({ uow, looks: createMcpLooks(), audit, tool, reader: dispatch.mcpServers });
  return {
    ...{ directory, changes, tenancy, identity, policy, runnerPool, dispatch, signIn, tool, mcpUpstream },
    mfa: { ...mfa, passkeyHosts },
    ...{ executorKinds, addresses, slugOf },
    mayConnect: async (tenantId: TenantId, url: URL) => (await addresses.rulesOf(tenantId))(url.hostname, portOf(url)),
  };
}
