import type { RunEventView } from '#lib/api-schemas';
import { eventUnknown, type ApiError } from './api-error.js';
import { hasMembers } from './has-members.js';

/** The kind of the changed record in an event of `/v1/events`; null for data that are no such event. */
export function changedKindIn(data: string): string | null {
  const event = documentIn(data);
  return hasMembers(event, ['type']) && typeof event.type === 'string' ? event.type : null;
}

/** The events of a run in those of `/v1/runs/{id}/events`, and the error to show if any is no such event; null if none is. */
export function runEventsIn(data: readonly string[]): {
  readonly events: readonly RunEventView[];
  readonly error: ApiError | null;
} {
  const events = data.map(documentIn).filter(isRunEvent);
  return { events, error: events.length < data.length ? eventUnknown() : null };
}

function documentIn(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}

const isRunEvent = (value: unknown): value is RunEventView =>
  hasMembers(value, ['seq', 'type', 'actor', 'data', 'at']) &&
  Number.isSafeInteger(value.seq) &&
  typeof value.type === 'string' &&
  isActor(value.actor) &&
  hasMembers(value.data, []) &&
  typeof value.at === 'string';

const isActor = (value: unknown): value is RunEventView['actor'] =>
  hasMembers(value, ['kind', 'id', 'display_name', 'credential_id', 'on_behalf_of']) &&
  (value.kind === 'person' || value.kind === 'agent' || value.kind === 'system') &&
  [value.id, value.display_name].every((member) => typeof member === 'string') &&
  [value.credential_id, value.on_behalf_of].every((member) => member === null || typeof member === 'string');
