import { fetch as undiciFetch, type RequestInit as UndiciRequestInit } from 'undici';
import type { TenantId } from '#lib/kernel';
import type { OutboundAgents } from './tenant-agents.js';

const DEADLINE_MS = 10_000;
const MAX_BYTES = 1_048_576;

/** The options of a fetch that passes the address guard. */
export interface GuardedRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | URLSearchParams | Uint8Array | null;
  readonly signal?: AbortSignal;
}

/** Fetches an address for a tenant. */
export type GuardedFetch = (tenantId: TenantId, url: string, request: GuardedRequest) => Promise<Response>;

/**
 * Fetches through the guarded agents, as tool calls do (T31): no private address that the operator has not allowed, no
 * redirect, an answer within ten seconds and of at most 1 MiB, which is read before this returns.
 */
export const guardedFetch =
  (agents: OutboundAgents): GuardedFetch =>
  async (tenantId, url, { method = 'GET', headers = {}, body = null, signal }) => {
    const deadline = AbortSignal.timeout(DEADLINE_MS);
    const options: UndiciRequestInit = {
      method,
      headers,
      body,
      redirect: 'manual',
      signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
      dispatcher: await agents.agentFor(tenantId),
    };
    const answer = await undiciFetch(url, options);
    const read: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength;
      if (bytes > MAX_BYTES) throw new Error(`${new URL(url).host} answered with more than ${String(MAX_BYTES)} bytes`);
      read.push(chunk);
    }
    const { status } = answer;
    const empty = status === 204 || status === 205 || status === 304 || bytes === 0;
    return new Response(empty ? null : Buffer.concat(read), { status, headers: [...answer.headers] });
  };
