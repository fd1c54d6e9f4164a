/**
 * Webhooks: events of a tenant's log, sent to the endpoints that its admins name, as Standard Webhooks describes it.
 *
 * Owns endpoints, their secrets, and the log of deliveries. Invariants: an event is read from the audit log, after it happened, so
 * that nothing waits for a receiver; each event is written once for each endpoint; the id of a delivery is the same in every attempt; no
 * two workers send one at the same time; addresses are HTTPS, and checked at connect (T31); bodies are masked (T32); a new or
 * wider address takes two people.
 *
 * Never decides anything: a receiver's answer settles its delivery alone.
 */
export { webhookDeliveryEntity, webhookEndpointEntity, webhookSecretEntity } from './adapters/webhook.entity.js';
export { emptyRemovedWebhooks, giveUpDeliveries, oldDeliveries } from './adapters/sql-old-deliveries.js';
export { ChangeEndpoint } from './application/change-endpoint.js';
export { ReadWebhooks, type EndpointSeen } from './application/read-webhooks.js';
export { RemoveEndpoint } from './application/remove-endpoint.js';
export { RotateSecret } from './application/rotate-secret.js';
export { SendWebhook } from './application/send-webhook.js';
export type { LoggedDelivery, ReportedCalls, WebhookDelivery } from './application/webhook.ports.js';
export { factsToSend, type ReportedCall } from './domain/event-body.js';
export { eventsOf, tellsOfCall } from './domain/event-names.js';
export { createWebhooks, createWebhookStore } from './create-webhooks.js';
export type { WebhookDeliveryId, WebhookEndpointId } from './domain/ids.js';
export { publicEvents } from './domain/public-events.js';
export { endpointRevision } from './domain/webhook-endpoint.js';
