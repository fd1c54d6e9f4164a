import { z } from 'zod';
import { boolean, bytes, entity, integer, json, moment, nullable, text, texts, uuid } from '#lib/database';
import type { WebhookSubscription } from '#lib/formats';
import type { PersonId } from '#lib/kernel';
import type { DeliveryState } from '../application/webhook.ports.js';
import type { DeliveryTry } from '../domain/delivery-outcome.js';
import type { WebhookDeliveryId, WebhookEndpointId } from '../domain/ids.js';
import type { OffReason } from '../domain/webhook-endpoint.js';

export const webhookEndpointEntity = entity(
  'webhook_endpoint',
  { id: uuid<WebhookEndpointId>() },
  {
    url: text(),
    description: text(),
    events: texts<WebhookSubscription>(),
    ca: nullable(text()),
    enabled: boolean(),
    offReason: nullable(text<OffReason>()),
    failingSince: nullable(moment()),
    timesOff: integer(),
    removedAt: nullable(moment()),
    createdBy: uuid<PersonId>(),
    createdAt: moment(),
  },
);

export const webhookSecretEntity = entity(
  'webhook_secret',
  { id: uuid() },
  {
    endpointId: uuid<WebhookEndpointId>(),
    keyId: text(),
    nonce: bytes(),
    ciphertext: bytes(),
    madeAt: moment(),
    until: nullable(moment()),
  },
);

const tries: z.ZodType<readonly DeliveryTry[]> = z.array(
  z.strictObject({
    at: z.number(),
    status: z.int().nullable(),
    error: z.string().nullable(),
    answer: z.string().nullable(),
  }),
);

export const webhookDeliveryEntity = entity(
  'webhook_delivery',
  { id: uuid<WebhookDeliveryId>() },
  {
    endpointId: uuid<WebhookEndpointId>(),
    event: text(),
    body: text(),
    state: text<DeliveryState>(),
    timesOff: integer(),
    attempts: integer(),
    tries: json(tries),
    nextAttemptAt: moment(),
    leasedUntil: nullable(moment()),
    createdAt: moment(),
    settledAt: nullable(moment()),
  },
);
