import type { TenantId } from '#lib/kernel';
import { fetchThrough, type GuardedRequest } from '#lib/outbound';
import type { OutboundAgents } from './tenant-agents.js';

/** Fetches an address for a tenant. */
export type GuardedFetch = (tenantId: TenantId, url: string, request: GuardedRequest) => Promise<Response>;

/** Fetches through the guarded agent of the tenant, as tool calls do (T31). */
export const guardedFetch =
  (agents: OutboundAgents): GuardedFetch =>
  async (tenantId, url, request) =>
    fetchThrough(await agents.agentFor(tenantId), url, request);
