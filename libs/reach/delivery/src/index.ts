/**
 * Delivery: messages to people outside. Stages write to the outbox in the transaction that changes something. A message
 * is fanned out to destinations, and each is delivered to by itself. It is retried, and an admin sees its failed state.
 *
 * Owns the outbox, people on duty, preferences, mail and Web Push. A channel is an entry of the registry
 * (`channels/registry.ts`): its addresses, its rendering and its sender stand in one folder. Fan-out, delivery and preferences
 * know it from there alone.
 *
 * Invariants: a message is made of the expanded steps and the records, with the text of others inert and visible. A committed
 * message is delivered at least once, and an attempt is committed before anything is sent.
 *
 * Never decides whether a review counts, and knows no channel by name.
 */
export type {
  AttemptedEntry,
  Channel,
  Delivery,
  NamedAddresses,
  NoticeSource,
  NoticeToTell,
  OnDuty,
  Reachable,
  Recipients,
  Sending,
  Sent,
  StoredMessage,
} from './application/delivery.ports.js';
export { ChannelRegistry } from './application/channel-registry.js';
export { SetNotificationPreferences } from './application/notification-preferences.js';
export type { ReadContent } from './application/read-content.js';
export { ResendOutbox } from './application/resend-outbox.js';
export { sendAgain, type GivenUp } from './application/send-again.js';
export type { PushSubscription } from './channels/push/push.ports.js';
export { SubscribePush } from './channels/push/subscribe-push.js';
export {
  notificationPreferenceEntity,
  onDutyEntity,
  outboxMessageEntity,
  pushKeyEntity,
  pushSubscriptionEntity,
} from './adapters/delivery.entity.js';
export { deliveredMessages } from './adapters/sql-old-messages.js';
export type { Content } from './domain/content.js';
export type { Destination } from './domain/destination.js';
export { bold, bullet, paragraph, shown } from './domain/lines.js';
export { noticeContent, type Notice } from './domain/notice.js';
export {
  askedBy,
  deadlineLines,
  pastLines,
  reminderContent,
  requestNewsContent,
  gistOf,
  requestSections,
  requestUrl,
  titleOf,
} from './domain/request-content.js';
export type { CallMessage, PlanMessage, RequestMessage } from './domain/request-message.js';
export { clip, lengthOf, span, spanText, type Line, type Span } from './domain/rich-text.js';
export { testMessage } from './domain/test-message.js';
export { channelsOf } from './channels/registry.js';
export {
  createContents,
  createDelivery,
  createDeliveryStore,
  createMailer,
  createOnDuty,
  createOutbox,
  createRecipientDirectory,
  type Delivering,
} from './create-delivery.js';
