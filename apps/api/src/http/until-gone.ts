import type { ServerResponse } from 'node:http';

/** Aborts when the client has gone. Checks at once, since `close` is not emitted again for a client that went before. */
export function untilGone(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  if (response.destroyed) gone.abort();
  else
    response.once('close', () => {
      gone.abort();
    });
  return gone.signal;
}
