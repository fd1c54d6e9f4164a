import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { RunEventView } from '#lib/api-schemas';
import { readAgain } from '../api/read-again.js';
import { followStream } from '../api/follow-stream.js';
import { runEventsIn } from '../api/streamed.js';

const GATHER_MS = 120;

interface RunEvents {
  readonly events: readonly RunEventView[];
  /** Until the first of them is there, or none can be read. */
  readonly isPending: boolean;
  /** The reason that an event is missing, or that no later one is read; null while all are there. */
  readonly error: unknown;
}

/** A run's events from its first on, as they happen; the run itself is read again with them. */
export function useRunEvents(runId: string): RunEvents {
  const queries = useQueryClient();
  const [events, setEvents] = useState<readonly RunEventView[]>([]);
  const [ended, setEnded] = useState(false);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    const gone = new AbortController();
    let arrived: string[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    setEvents([]);
    setEnded(false);
    setError(null);
    void followStream({
      path: `/v1/runs/${runId}/events`,
      signal: gone.signal,
      onData: (data) => {
        arrived.push(data);
        timer ??= setTimeout(() => {
          timer = undefined;
          const news = runEventsIn(arrived);
          arrived = [];
          setEvents((before) => [...before, ...news.events]);
          if (news.error !== null) setError(news.error);
          void readAgain(queries, '/v1/runs/{id}');
        }, GATHER_MS);
      },
    })
      .catch((failure: unknown) => {
        if (!gone.signal.aborted) setError(failure);
      })
      .then(() => {
        // The last events may still be gathered.
        if (!gone.signal.aborted && timer === undefined) setEnded(true);
      });
    return () => {
      gone.abort();
      clearTimeout(timer);
    };
  }, [runId, queries]);
  return { events, isPending: events.length === 0 && !ended, error };
}
