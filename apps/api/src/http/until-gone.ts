import type { ServerResponse } from 'node:http';

/** Aborts when the client has gone. Who went before this was asked has gone, too: `close` is not told again. */
export function untilGone(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  if (response.destroyed) gone.abort();
  else
    response.once('close', () => {
      gone.abort();
    });
  return gone.signal;
}
