import { fetch as undiciFetch, type Agent } from 'undici';
import type { FetchLike } from '@modelcontextprotocol/client';

/** More than this of one answer is not read. */
const MAX_ANSWER_BYTES = 1_048_576;

/** The server answered with a redirect, which is never followed (T31). */
export class RedirectRefusedError extends Error {
  constructor(readonly status: number) {
    super(`a redirect (status ${String(status)}), which is not followed`);
  }
}

/** The answer is longer than Countersign reads. */
export class AnswerTooLongError extends Error {
  constructor() {
    super(`more than ${String(MAX_ANSWER_BYTES)} bytes`);
  }
}

/** The part of a connection in its requests. */
export interface McpRequests {
  /** Added to each request. */
  headers(): Readonly<Record<string, string>>;
  /** A request leaves. */
  leaves(): void;
  /** A request ended without an answer. */
  broke(error: unknown): void;
}

/**
 * The way of the SDK's client to an upstream server: by a guarded agent, without redirects, with bounded answers. The
 * stream on which an older server starts requests of its own is never opened.
 */
export const mcpFetch =
  (agent: Agent, requests: McpRequests): FetchLike =>
  async (url, init) => {
    if (init?.method === 'GET') return new Response(null, { status: 405 });
    const headers = new Headers(init?.headers);
    for (const [name, value] of Object.entries(requests.headers())) headers.set(name, value);
    requests.leaves();
    try {
      const answer = await undiciFetch(url, {
        method: init?.method ?? 'POST',
        // The SDK sends text alone.
        body: (init?.body ?? null) as string | null,
        signal: init?.signal ?? null,
        headers: [...headers],
        redirect: 'manual',
        dispatcher: agent,
      });
      const { status } = answer;
      if (status >= 300 && status < 400) {
        await answer.body?.cancel();
        throw new RedirectRefusedError(status);
      }
      const body: ReadableStream<Uint8Array> | null = answer.body;
      return new Response(body === null ? null : body.pipeThrough(bounded(requests)), {
        status,
        headers: [...answer.headers],
      });
    } catch (error) {
      // The client of the SDK ended it, and says why itself.
      if (init?.signal?.aborted !== true) requests.broke(error);
      throw error;
    }
  };

function bounded(requests: McpRequests): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes <= MAX_ANSWER_BYTES) {
        controller.enqueue(chunk);
        return;
      }
      const error = new AnswerTooLongError();
      requests.broke(error);
      controller.error(error);
    },
  });
}
