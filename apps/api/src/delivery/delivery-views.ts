import type { OutboxMessageView, PushSubscriptionView } from '#lib/api-schemas';
import { toTimestamp, toTimestampOrNull } from '#lib/kernel';
import type { Channel, PushSubscription, StoredMessage } from '#lib/delivery';

export const outboxView = (entry: StoredMessage): OutboxMessageView => ({
  id: entry.id,
  topic: entry.topic,
  payload: { ...entry.payload },
  destination: entry.destination,
  state: entry.state,
  attempts: entry.attempts,
  last_error: entry.lastError,
  next_attempt_at: entry.state === 'pending' ? toTimestamp(entry.nextAttemptAt) : null,
  created_at: toTimestamp(entry.createdAt),
  delivered_at: toTimestampOrNull(entry.deliveredAt),
});

export const channelView = ({ name, title, named, missing }: Channel) => ({
  name,
  title,
  addresses: named?.form ?? null,
  missing: missing ?? null,
});

/** The address itself is a secret between the browser and its push service. */
export const pushSubscriptionView = ({ id, endpoint, createdAt }: PushSubscription): PushSubscriptionView => ({
  id,
  host: new URL(endpoint).host,
  created_at: toTimestamp(createdAt),
});
