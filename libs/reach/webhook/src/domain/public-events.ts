import type { JsonObject } from '#lib/canonical';
import type { LoggedEvent } from '#lib/kernel';
import { eventDocument } from './event-body.js';
import { eventsOf } from './event-names.js';

/** The events of an entry with their bodies, as parts of Countersign itself hear of them. None for an internal entry. */
export function publicEvents(logged: LoggedEvent): readonly { readonly event: string; readonly body: JsonObject }[] {
  return eventsOf(logged).map((event) => ({ event, body: eventDocument(event, logged) }));
}
