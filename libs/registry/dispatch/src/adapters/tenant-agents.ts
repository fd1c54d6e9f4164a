import type { Agent } from 'undici';
import type { TenantId } from '#lib/kernel';
import { privateHostsOf, tenantsNamedIn, type AllowedPrivateHosts } from '../domain/address-policy.js';
import { type Connections, guardedAgent } from './guarded-agent.js';

/** Connects for a tenant. */
export interface OutboundAgents {
  /** @param connections each request has its own if left out. */
  agentFor(tenantId: TenantId, connections?: Connections): Promise<Agent>;
}

type Agents = Readonly<Record<Connections, Agent>>;

/** Guarded agents for each tenant that the operator allows hosts of its own, and for all the others. */
export class TenantAgents implements OutboundAgents {
  private readonly common: Agents;
  private readonly own: ReadonlyMap<string, Agents>;

  constructor(
    allowed: AllowedPrivateHosts,
    private readonly slugOf: (tenantId: TenantId) => Promise<string>,
  ) {
    this.common = agentsFor(privateHostsOf(allowed, null));
    this.own = new Map([...tenantsNamedIn(allowed)].map((slug) => [slug, agentsFor(privateHostsOf(allowed, slug))]));
  }

  async agentFor(tenantId: TenantId, connections: Connections = 'own'): Promise<Agent> {
    const own = this.own.size === 0 ? undefined : this.own.get(await this.slugOf(tenantId));
    return (own ?? this.common)[connections];
  }
}

const agentsFor = (privateHosts: readonly string[]): Agents => ({
  own: guardedAgent(privateHosts, 'own'),
  kept: guardedAgent(privateHosts, 'kept'),
});
