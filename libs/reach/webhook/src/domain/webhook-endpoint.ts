import { loosenedConnection, revisionOf } from '#lib/connection';
import type { WebhookSubscription } from '#lib/formats';
import type { PersonId } from '#lib/kernel';
import type { WebhookEndpointId } from './ids.js';

/**
 * The reason why an endpoint is off. A person switched it off, it answered 410 Gone, or it failed for longer than
 * {@link FAILING_MS}.
 */
export type OffReason = 'person' | 'gone' | 'failing';

/**
 * Three days. The next delivery that used all its attempts switches off an endpoint that failed for so long without a
 * success. A single late failure proves too little, as the worker may have been away.
 */
export const FAILING_MS = 3 * 24 * 3_600_000;

/** The most endpoints of a tenant. */
export const MAX_ENDPOINTS = 20;

/** The members that an admin sets. */
export interface EndpointSettings {
  /** HTTPS, without credentials, query and fragment: it is shown, and kept in the audit log. */
  readonly url: string;
  readonly description: string;
  readonly events: readonly WebhookSubscription[];
  /** The certificates in PEM that alone vouch for the receiver; null for the public authorities. */
  readonly ca: string | null;
  readonly enabled: boolean;
}

/** A receiver of events. Times are epoch milliseconds. */
export interface WebhookEndpoint extends EndpointSettings {
  readonly id: WebhookEndpointId;
  readonly offReason: OffReason | null;
  /** The first failure since the last success; null if the last delivery succeeded. */
  readonly failingSince: number | null;
  /** The owner: told if it is switched off. */
  readonly createdBy: PersonId;
  readonly createdAt: number;
}

/** Whether both name the same receiver: the failures of one say nothing of the other. */
export const sameReceiver = (one: EndpointSettings, other: EndpointSettings): boolean =>
  one.url === other.url && one.ca === other.ca;

/** The revision of its settings alone, by which a change names what its author read. */
export const endpointRevision = ({ url, description, events, ca, enabled }: EndpointSettings): string =>
  revisionOf({ url, description, events, ca, enabled });

/** Every endpoint gets it, on request. */
export const TEST_EVENT = 'tool.test';

/** Whether it gets this event. */
export const subscribes = ({ events }: Pick<EndpointSettings, 'events'>, event: string): boolean =>
  event === TEST_EVENT ||
  events.some((each) => (each.endsWith('.*') ? event.startsWith(each.slice(0, -1)) : each === event));

/** The loosening of a change, in words: events that leave Countersign for an address that did not get them before. */
export function loosenedEndpoint(before: EndpointSettings | null, after: EndpointSettings): readonly string[] {
  if (!after.enabled) return [];
  const sent = before?.enabled === true ? before : null;
  const added = sent === null ? [] : after.events.filter((each) => !sent.events.includes(each));
  return [
    ...loosenedConnection(`${after.events.join(', ')} are sent`, sent, after),
    ...(added.length === 0 ? [] : [`${added.join(', ')} are also sent to ${after.url}`]),
  ];
}
