import type { QueryClient } from '@tanstack/react-query';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { LiveEvent } from '#lib/api-schemas';
import { affectedBy, type Paths } from './affected-paths.js';
import { api } from './client.js';
import { SESSION } from './query-client.js';
import { watched } from './watched.js';
import { readAgain, readAllAgain } from './read-again.js';

/** Several changes at once cost one reading. */
const GATHER_MS = 150;
/** Without a stream, the open page reads its data again after so long. */
const UNTOLD_MS = 10_000;
/** A stream that was refused is asked for again after so long. */
const REFUSED_MS = 30_000;

type Connection = 'connecting' | 'live' | 'lost';
const connection = watched<Connection>('connecting');

/** Whether this page is told of changes just now. */
export const useConnection = (): Connection => connection.use();

function follow(queries: QueryClient): () => void {
  const stale = new Set<Paths[number]>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const gather = (paths: Paths): void => {
    for (const path of paths) stale.add(path);
    timer ??= setTimeout(() => {
      timer = undefined;
      void readAgain(queries, ...stale);
      stale.clear();
    }, GATHER_MS);
  };
  // Reconnects by itself after a lost connection, but not after a refusal, for example of one stream too many.
  let source: EventSource;
  let again: ReturnType<typeof setTimeout> | undefined;
  const open = (): void => {
    source = new EventSource('/v1/events');
    source.addEventListener('open', () => {
      connection.set('live');
      // No stream told of changes before it.
      void readAllAgain(queries);
    });
    source.addEventListener('error', () => {
      connection.set('lost');
      if (source.readyState !== EventSource.CLOSED) return;
      // The stream was refused: the session may have ended.
      void readAgain(queries, '/v1/browser-sessions/current');
      again = setTimeout(open, REFUSED_MS);
    });
    source.addEventListener('missed', () => {
      void readAllAgain(queries);
    });
    source.addEventListener('change', ({ data }: MessageEvent<string>) => {
      gather(affectedBy((JSON.parse(data) as LiveEvent).type));
    });
  };
  open();
  const reading = setInterval(() => {
    if (source.readyState === EventSource.OPEN || document.hidden) return;
    void readIfAnswered(queries);
  }, UNTOLD_MS);
  return () => {
    clearInterval(reading);
    clearTimeout(timer);
    clearTimeout(again);
    source.close();
  };
}

/** An API that is away costs one reading, and no page shows that it could not read. */
async function readIfAnswered(queries: QueryClient): Promise<void> {
  const answered = await api.get(SESSION).then(
    () => true,
    () => false,
  );
  if (answered) await readAllAgain(queries);
}

/**
 * Reads changed things again, as long as the shell is shown. The stream begins before the pages that it is about, so that few of
 * them are read twice.
 */
export function useLiveEvents(): void {
  const queries = useQueryClient();
  useEffect(() => follow(queries), [queries]);
}
