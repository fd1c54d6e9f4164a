import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Dispatcher } from 'undici';
import type { Passage } from './passage.js';
import { towardsCaller } from './forwarded-headers.js';
import { answerOf, cellUnavailable } from './refusals.js';

/**
 * Passes a request to its cell and the answer back, both as streams. Nothing is sent twice: if the cell may have taken the request,
 * the caller decides.
 *
 * @returns false if the cell did not answer.
 */
export async function forward(
  dispatcher: Dispatcher,
  request: IncomingMessage,
  response: ServerResponse,
  passage: Passage & { readonly body: Buffer | null },
): Promise<boolean> {
  const gone = new AbortController();
  response.once('close', () => {
    gone.abort();
  });
  let answer: Dispatcher.ResponseData;
  try {
    answer = await dispatcher.request({
      origin: passage.cell.url,
      path: request.url ?? '/',
      method: request.method ?? 'GET',
      headers: passage.headers,
      // undici takes iterables, too, beyond its type.
      body: passage.body ?? (hasBody(request) ? (piecesOf(request) as unknown as Readable) : null),
      signal: AbortSignal.any([gone.signal, passage.over]),
    });
  } catch {
    if (response.destroyed) return true;
    const { status, headers, body } = answerOf(cellUnavailable, passage.requestId);
    response.writeHead(status, { ...headers, connection: 'close' }).end(request.method === 'HEAD' ? undefined : body);
    return false;
  }
  if (String(answer.headers['content-type'] ?? '').startsWith('text/event-stream')) passage.lasts();
  response.writeHead(answer.statusCode, towardsCaller(answer.headers));
  response.flushHeaders();
  // The caller went, the cell broke off, or the tenant has moved: a cut answer must look cut.
  await pipeline(answer.body, response).catch(() => response.destroy());
  return true;
}

/**
 * The cell may answer before the body ends, and the client ends the stream that it was given. The caller's connection stays, for
 * the answer, and the rest of the body passes unkept. The next request stands behind it.
 */
async function* piecesOf(request: IncomingMessage): AsyncGenerator<Buffer, void> {
  try {
    // A request without an encoding gives buffers.
    yield* request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } finally {
    request.resume();
  }
}

/** A request has a body if one of these says so (RFC 9112 section 6.3). */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
