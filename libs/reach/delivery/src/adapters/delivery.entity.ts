import { z } from 'zod';
import { boolean, bytes, entity, integer, json, moment, nullable, text, uuid } from '#lib/database';
import type { PersonId } from '#lib/kernel';
import type { OutboxState } from '../application/delivery.ports.js';

export const outboxMessageEntity = entity(
  'outbox_message',
  { id: uuid() },
  {
    topic: text(),
    /** As an admin sees it. The schema of its topic reads it for a delivery. */
    payload: json(z.record(z.string(), z.string())),
    destination: nullable(text()),
    state: text<OutboxState>(),
    attempts: integer(),
    nextAttemptAt: moment(),
    lastError: nullable(text()),
    createdAt: moment(),
    deliveredAt: nullable(moment()),
  },
);

export const notificationPreferenceEntity = entity(
  'notification_preference',
  { personId: uuid<PersonId>(), channel: text() },
  { requests: boolean(), reminders: boolean(), comments: boolean(), updatedAt: moment() },
);

export const onDutyEntity = entity('on_duty', { personId: uuid<PersonId>() }, { since: moment() });

/** The key that signs a tenant's push messages (VAPID, RFC 8292). */
export const pushKeyEntity = entity(
  'push_key',
  {},
  { publicKey: text(), keyId: text(), privateKeyNonce: bytes(), privateKey: bytes(), createdAt: moment() },
);

export const pushSubscriptionEntity = entity(
  'push_subscription',
  { id: uuid() },
  {
    personId: uuid<PersonId>(),
    endpoint: text(),
    p256dh: text(),
    auth: text(),
    createdAt: moment(),
    endedAt: nullable(moment()),
  },
);
