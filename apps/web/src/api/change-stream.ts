import type { QueryClient } from '@tanstack/react-query';
import { affectedBy, type Paths } from './affected-paths.js';
import { BROWSER_SESSION } from './query-client.js';
import { readAgain, readAllAgain } from './read-again.js';
import { changedKindIn } from './streamed.js';

/** Several changes at once cost one reading. */
const GATHER_MS = 150;
/** A stream that was refused is asked for again after so long. */
const REFUSED_MS = 30_000;
/** Pages wait for the stream no longer than this, for example behind a proxy that holds it back. */
const OPENS_WITHIN_MS = 1_000;

/** The stream of changes in the tenant, and the readings that follow from them. */
export interface ChangeStream {
  /** Resolves once the stream is open or has failed, at the latest after a second. Never rejects. */
  readonly begun: Promise<void>;
  isOpen(): boolean;
  close(): void;
}

/**
 * Follows the changes in the tenant. If the stream opens, everything that was read before is read again, since no stream told
 * of changes until then. Pages that begin to read after {@link ChangeStream.begun} read once.
 *
 * @param onConnection told whether the page hears of changes just now.
 */
export function followChanges(queries: QueryClient, onConnection: (connection: 'live' | 'lost') => void): ChangeStream {
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
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
  let again: ReturnType<typeof setTimeout> | undefined;
  // Reconnects by itself after a lost connection, but not after a refusal, for example of one stream too many.
  const open = (): EventSource => {
    const opened = new EventSource('/v1/events');
    opened.addEventListener('open', () => {
      onConnection('live');
      void readAllAgain(queries);
      begin();
    });
    opened.addEventListener('error', () => {
      onConnection('lost');
      begin();
      if (opened.readyState !== EventSource.CLOSED) return;
      // The stream was refused: the browser session may have ended.
      void readAgain(queries, BROWSER_SESSION);
      again = setTimeout(() => {
        source = open();
      }, REFUSED_MS);
    });
    opened.addEventListener('missed', () => {
      void readAllAgain(queries);
    });
    opened.addEventListener('change', ({ data }: MessageEvent<string>) => {
      const kind = changedKindIn(data);
      if (kind === null) void readAllAgain(queries);
      else gather(affectedBy(kind));
    });
    return opened;
  };
  let source = open();
  const late = setTimeout(begin, OPENS_WITHIN_MS);
  return {
    begun,
    isOpen: () => source.readyState === EventSource.OPEN,
    close: () => {
      for (const each of [timer, again, late]) clearTimeout(each);
      source.close();
      begin();
    },
  };
}
