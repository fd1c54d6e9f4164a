import type { Id } from '#lib/kernel';

export type WebhookEndpointId = Id<'WebhookEndpointId'>;
export type WebhookDeliveryId = Id<'WebhookDeliveryId'>;
