import { newId, type JobQueue, type LogFollower, type LoggedEvent, type Tx } from '#lib/kernel';
import { eventBody, toolBody, type ReportedCall } from '../domain/event-body.js';
import { eventsOf, isToolEvent } from '../domain/event-names.js';
import type { WebhookDeliveryId } from '../domain/ids.js';
import { subscribes } from '../domain/webhook-endpoint.js';
import { WEBHOOK_FOLLOWER } from './settle-following.js';
import type { DeliveryStore, EndpointSecrets, EndpointStore, NewDelivery, ReportedCalls } from './webhook.ports.js';

/** Follows the log. Writes a delivery of each event for each endpoint that has a secret and subscribes to the event. */
export class WriteDeliveries implements LogFollower {
  readonly name = WEBHOOK_FOLLOWER;

  constructor(
    private readonly endpoints: Pick<EndpointStore, 'all'>,
    private readonly secrets: Pick<EndpointSecrets, 'holders'>,
    private readonly deliveries: Pick<DeliveryStore, 'write'>,
    private readonly calls: ReportedCalls,
    private readonly jobs: JobQueue,
  ) {}

  async take(tx: Tx, logged: readonly LoggedEvent[]): Promise<void> {
    const holders = await this.secrets.holders(tx);
    const endpoints = (await this.endpoints.all(tx)).filter(({ id, enabled }) => enabled && holders.has(id));
    const sent = logged
      .flatMap((each) => eventsOf(each).map((event) => ({ event, logged: each })))
      .map((each) => ({ ...each, to: endpoints.filter((endpoint) => subscribes(endpoint, each.event)) }))
      .filter(({ to }) => to.length > 0);
    if (sent.length === 0) return;
    const calls = await this.calls.of(
      tx,
      sent.filter(({ event }) => isToolEvent(event)).map((each) => each.logged),
    );
    const written = sent.flatMap(({ event, logged: each, to }): NewDelivery[] => {
      const body = bodyOf(event, each, calls);
      return body === null ? [] : to.map(({ id }) => ({ id: newId<WebhookDeliveryId>(), endpointId: id, event, body }));
    });
    await this.deliveries.write(tx, written);
    await Promise.all(written.map(({ id }) => this.jobs.enqueue(tx, 'webhook.deliver', id)));
  }
}

/** Null for a call that is not there any more. */
function bodyOf(event: string, logged: LoggedEvent, calls: ReadonlyMap<string, ReportedCall>): string | null {
  if (!isToolEvent(event)) return eventBody(event, logged);
  const call = calls.get(logged.id);
  return call === undefined ? null : toolBody(event, logged.occurredAt, call);
}
