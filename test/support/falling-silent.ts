import { loopbackRelay, type LoopbackRelay } from './loopback-relay.js';

/** A server behind a machine that loses its power or its network: nothing comes back, and no connection closes. */
export interface FallingSilent extends LoopbackRelay {
  readonly silent: boolean;
  /** Falls silent when a client sends these words. */
  at(words: string): void;
}

/** @param url of the PostgreSQL behind it. */
export async function fallingSilent(url: string): Promise<FallingSilent> {
  let last: string | null = null;
  let silent = false;
  const relay = await loopbackRelay(url, (client, upstream) => {
    client.on('data', (chunk) => {
      silent ||= last !== null && chunk.includes(last);
      if (!silent) upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (!silent) client.write(chunk);
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      one.on('end', () => {
        if (!silent) other.end();
      });
  });
  return {
    ...relay,
    get silent() {
      return silent;
    },
    at: (words) => {
      last = words;
    },
  };
}
