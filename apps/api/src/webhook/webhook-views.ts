import type { LoggedDeliveryView, WebhookDeliveryView, WebhookDetailView, WebhookView } from '#lib/api-schemas';
import { toTimestamp } from '#lib/kernel';
import { endpointRevision, type EndpointSeen, type LoggedDelivery, type WebhookDelivery } from '#lib/webhook';
import { etagOf } from '../http/index.js';

const timeOf = (at: number | null): string | null => (at === null ? null : toTimestamp(at));

export const webhookView = (endpoint: EndpointSeen['endpoint']): WebhookView => ({
  id: endpoint.id,
  url: endpoint.url,
  description: endpoint.description,
  events: [...endpoint.events],
  ca: endpoint.ca,
  enabled: endpoint.enabled,
  off_reason: endpoint.offReason,
  failing_since: timeOf(endpoint.failingSince),
  created_by: endpoint.createdBy,
  created_at: toTimestamp(endpoint.createdAt),
  etag: etagOf(endpointRevision(endpoint)),
});

export const webhookDetailView = ({ endpoint, secrets }: EndpointSeen): WebhookDetailView => ({
  ...webhookView(endpoint),
  secrets: secrets.map(({ madeAt, until }) => ({ made_at: toTimestamp(madeAt), until: timeOf(until) })),
});

export const loggedDeliveryView = (delivery: LoggedDelivery): LoggedDeliveryView => ({
  id: delivery.id,
  event: delivery.event,
  state: delivery.state,
  attempts: delivery.attempts,
  tries: delivery.tries.map(({ at, ...tried }) => ({ at: toTimestamp(at), ...tried })),
  created_at: toTimestamp(delivery.createdAt),
  next_attempt_at: timeOf(delivery.nextAttemptAt),
});

export const webhookDeliveryView = (delivery: WebhookDelivery): WebhookDeliveryView => ({
  ...loggedDeliveryView(delivery),
  body: delivery.body,
});
