import type { Agent } from 'undici';
import type { TenantId } from '#lib/kernel';
import {
  guardedAgent,
  privateHostsOf,
  tenantsNamedIn,
  type AllowedPrivateHosts,
  type Connections,
} from '#lib/outbound';

/** Connects for a tenant. */
export interface OutboundAgents {
  /** @param connections each request has its own if left out. */
  agentFor(tenantId: TenantId, connections?: Connections): Promise<Agent>;
}

/** So many tenants have kept connections at once; the one that called longest ago loses its. */
const MAX_KEPT = 1_000;

/**
 * Guarded agents, whose requests have connections of their own. Each tenant with hosts that the operator allows it has
 * one, and all the others share one. Kept connections serve one tenant alone. So a server that confuses the answers of
 * one connection mixes up no tenants.
 */
export class TenantAgents implements OutboundAgents {
  readonly #common: Agent;
  readonly #own: ReadonlyMap<string, Agent>;
  /** The latest used last. */
  readonly #kept = new Map<TenantId, Agent>();

  constructor(
    private readonly allowed: AllowedPrivateHosts,
    private readonly slugOf: (tenantId: TenantId) => Promise<string>,
  ) {
    this.#common = guardedAgent(privateHostsOf(allowed, null), 'own');
    this.#own = new Map(
      [...tenantsNamedIn(allowed)].map((slug) => [slug, guardedAgent(privateHostsOf(allowed, slug), 'own')]),
    );
  }

  async agentFor(tenantId: TenantId, connections: Connections = 'own'): Promise<Agent> {
    const slug = this.#own.size === 0 ? null : await this.slugOf(tenantId);
    if (connections === 'own') return (slug === null ? undefined : this.#own.get(slug)) ?? this.#common;
    const agent = this.#kept.get(tenantId) ?? guardedAgent(privateHostsOf(this.allowed, slug), 'kept');
    this.#kept.delete(tenantId);
    this.#kept.set(tenantId, agent);
    const [oldest] = this.#kept;
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) {
      this.#kept.delete(oldest[0]);
      void oldest[1].close();
    }
    return agent;
  }
}
