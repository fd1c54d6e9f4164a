import { AnswerTooLong, eventsOf, pauseMs, retryAfterOf } from '#lib/client';
import { after } from './after.js';
import { eventTooLong } from './api-error.js';

interface Following {
  readonly path: string;
  readonly onData: (data: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Follows a stream until its event `end`, or a refusal. After a lost connection it goes on from the last event.
 *
 * @throws {ApiError} `web.event_too_long`: the event would be as long again.
 */
export async function followStream({ path, onData, signal }: Following): Promise<void> {
  let last = null as string | null;
  let failures = 0;
  while (!signal.aborted) {
    let told: number | undefined;
    try {
      const response: Response = await fetch(path, {
        headers: { accept: 'text/event-stream', ...(last === null ? {} : { 'last-event-id': last }) },
        signal,
      });
      if (response.status >= 400 && response.status < 500 && response.status !== 429) return;
      if (response.ok) failures = 0;
      told = retryAfterOf(response.headers).retry_after_seconds;
      const events = response.body === null ? [] : eventsOf(response.body);
      for await (const { id, event, data } of events) {
        if (event === 'end') return;
        last = id ?? last;
        onData(data);
      }
    } catch (error) {
      if (error instanceof AnswerTooLong) throw eventTooLong(error.message);
      // The connection was lost, or the caller gave up; the loop tells which.
    }
    failures += 1;
    await after(pauseMs(failures, told));
  }
}
