import type { RunEventView } from '#lib/api-schemas';
import { jsonIn, runEventIn } from '#lib/client';
import { eventUnknown, type ApiError } from './api-error.js';
import { hasMembers } from './has-members.js';

/** The kind of the changed record in an event of `/v1/events`; null for data that are no such event. */
export function changedKindIn(data: string): string | null {
  const event = jsonIn(data);
  return hasMembers(event, ['type']) && typeof event.type === 'string' ? event.type : null;
}

/** The events of a run in those of `/v1/runs/{id}/events`, and the error to show if any is no such event. Null if none is. */
export function runEventsIn(data: readonly string[]): {
  readonly events: readonly RunEventView[];
  readonly error: ApiError | null;
} {
  const events = data.map(runEventIn).filter((event) => event !== null);
  return { events, error: events.length < data.length ? eventUnknown() : null };
}
