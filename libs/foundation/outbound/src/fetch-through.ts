import { fetch as undiciFetch, type Agent, type RequestInit as UndiciRequestInit } from 'undici';

const DEADLINE_MS = 10_000;
const MAX_BYTES = 1_048_576;

/** The options of a fetch that passes the address guard. */
export interface GuardedRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | URLSearchParams | Uint8Array | null;
  readonly signal?: AbortSignal;
  /** How long an answer is awaited; ten seconds if left out. */
  readonly deadlineMs?: number;
  /** How long an answer may be; 1 MiB if left out. */
  readonly maxBytes?: number;
}

/**
 * Fetches through a guarded agent: no redirect, and a bounded answer within the deadline, which is read before this
 * returns.
 */
export async function fetchThrough(
  agent: Agent,
  url: string,
  { method = 'GET', headers = {}, body = null, signal, deadlineMs = DEADLINE_MS, maxBytes = MAX_BYTES }: GuardedRequest,
): Promise<Response> {
  const deadline = AbortSignal.timeout(deadlineMs);
  const options: UndiciRequestInit = {
    method,
    headers,
    body,
    redirect: 'manual',
    signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
    dispatcher: agent,
  };
  const answer = await undiciFetch(url, options);
  const read: Uint8Array[] = [];
  let bytes = 0;
  // The types of undici say any; a body has bytes.
  for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new Error(`${new URL(url).host} answered with more than ${String(maxBytes)} bytes`);
    read.push(chunk);
  }
  const { status } = answer;
  const empty = status === 204 || status === 205 || status === 304 || bytes === 0;
  return new Response(empty ? null : Buffer.concat(read), { status, headers: [...answer.headers] });
}
