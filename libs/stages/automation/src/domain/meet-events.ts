import type { JsonObject } from '#lib/canonical';
import type { AutomationDocument, EventTrigger } from '#lib/formats';
import type { LoggedEvent } from '#lib/kernel';
import type { Automation } from './automation.js';
import { matches, waitsFor } from './judge-trigger.js';

/** An event of Countersign, as other systems are told of it. */
export interface PublicEvent {
  /** `run.failed`. */
  readonly event: string;
  /** `{event, timestamp, data}`: masked, and without people's credentials. */
  readonly body: JsonObject;
}

/** An entry of the log with its events. */
export interface EntryWithEvents {
  readonly logged: LoggedEvent;
  readonly events: readonly PublicEvent[];
}

/** An event with the trigger that waits for it. */
export interface Met {
  readonly logged: LoggedEvent;
  readonly trigger: EventTrigger;
  /** Its name, and its body. */
  readonly event: string;
  readonly body: PublicEvent['body'];
}

/** Whether the automation is in an entry, or its agent did it. */
export function isWithin(
  { id, identity }: Pick<Automation, 'id' | 'identity'>,
  { actor, subject, within }: LoggedEvent,
): boolean {
  return actor.id === identity?.agentId || [subject, ...within].some((each) => each.id === id);
}

/** Null if no trigger waits for it. Of several the first one counts. */
export function metBy(
  { triggers }: Pick<AutomationDocument, 'triggers'>,
  { logged, events }: EntryWithEvents,
): Met | null {
  for (const trigger of triggers) {
    if (trigger.type !== 'event') continue;
    const found = events.find(({ event, body }) => waitsFor(trigger, event) && matches(trigger, body));
    if (found !== undefined) return { logged, trigger, ...found };
  }
  return null;
}
