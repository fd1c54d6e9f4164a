/**
 * What people outside are told, and how they answer from Slack. Stages write to the outbox in the transaction that changes
 * something; what is written is spread over places (a Slack channel, a person's mail, a browser) and each place is
 * delivered to by itself: with pauses, a limit a channel, and a dead letter that an admin sees.
 *
 * Invariants: what approvers read is rendered from the expanded steps, every word of others inert and visible; what had to
 * be cut cannot be approved there; a message is posted once, whatever crashes; whoever clicks is the person who claimed
 * that Slack user, signed in; a review from Slack is a review like any other.
 *
 * Never decides whether a review counts (approval and policy do), and never lets a name or an e-mail address say who
 * somebody is.
 */
export { AnswerCommand, type CommandAnswer } from './application/answer-command.js';
export { SetNotificationPreferences } from './application/notification-preferences.js';
export type {
  LinkedUser,
  NoticeSource,
  NoticeToTell,
  OutboxEntry,
  OutboxState,
  PushSubscription,
  SlackApp,
  SlackFollower,
  SlackSettings,
  ThreadReplies,
} from './application/notify.ports.js';
export { SubscribePush } from './application/push-subscriptions.js';
export { ReceiveEvent } from './application/receive-event.js';
export { ReceiveInteraction } from './application/receive-interaction.js';
export { ResendOutbox } from './application/resend-outbox.js';
export { LinkSlackUser, type SlackUserShown } from './application/slack-links.js';
export { PutSlackApp } from './application/put-slack-app.js';
export { RouteSlack } from './application/route-slack.js';
export { BOT_SCOPES, SlackSetUp } from './application/slack-set-up.js';
export { TestSlack, type SlackTest } from './application/test-slack.js';
export type { SlackHeaders } from './domain/slack-signature.js';
export { createNotify, createOutbox, type Notify } from './create-notify.js';
