import type { Agent } from 'undici';
import type { TenantId } from '#lib/kernel';
import { privateHostsOf, tenantsNamedIn, type AllowedPrivateHosts } from '../domain/address-policy.js';
import { guardedAgent } from './guarded-agent.js';

/** Who connects for a tenant. */
export interface OutboundAgents {
  agentFor(tenantId: TenantId): Promise<Agent>;
}

/** One guarded agent for each tenant that the operator allows hosts of its own, and one for all the others. */
export class TenantAgents implements OutboundAgents {
  private readonly common: Agent;
  private readonly own: ReadonlyMap<string, Agent>;

  constructor(
    allowed: AllowedPrivateHosts,
    private readonly slugOf: (tenantId: TenantId) => Promise<string>,
  ) {
    this.common = guardedAgent(privateHostsOf(allowed, null));
    this.own = new Map([...tenantsNamedIn(allowed)].map((slug) => [slug, guardedAgent(privateHostsOf(allowed, slug))]));
  }

  async agentFor(tenantId: TenantId): Promise<Agent> {
    if (this.own.size === 0) return this.common;
    return this.own.get(await this.slugOf(tenantId)) ?? this.common;
  }
}
