import { useEffect } from 'react';
import { followChanges, type ChangeStream } from './change-stream.js';
import { api } from './client.js';
import { queryClient, BROWSER_SESSION } from './query-client.js';
import { readAllAgain } from './read-again.js';
import { watched } from './watched.js';

/** Without a stream, the open page reads its data again after so long. */
const UNTOLD_MS = 10_000;

type Connection = 'connecting' | 'live' | 'lost';
const connection = watched<Connection>('connecting');

/** Whether this page is told of changes just now. */
export const useConnection = (): Connection => connection.use();

let stream: ChangeStream | null = null;

/**
 * Opens the stream of changes, unless there is one. The shell is drawn after that, so that its pages read once. No change is lost
 * between the reading of a page and the opening of the stream.
 *
 * Resolves once the stream is open or refused, or after a second.
 */
export function openLiveEvents(): Promise<void> {
  stream ??= followChanges(queryClient, (now) => {
    connection.set(now);
  });
  return stream.begun;
}

/** An API that is away costs one reading, and no page shows that it could not read. */
async function readIfAnswered(): Promise<void> {
  const answered = await api.get(BROWSER_SESSION).then(
    () => true,
    () => false,
  );
  if (answered) await readAllAgain(queryClient);
}

/** Keeps the stream as long as the shell is shown, and reads everything now and then while there is none. */
export function useLiveEvents(): void {
  useEffect(() => {
    void openLiveEvents();
    const reading = setInterval(() => {
      if (stream?.isOpen() !== true && !document.hidden) void readIfAnswered();
    }, UNTOLD_MS);
    return () => {
      clearInterval(reading);
      stream?.close();
      stream = null;
    };
  }, []);
}
