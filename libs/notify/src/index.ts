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
export { SlackWebApi } from './adapters/slack-web-api.js';
export { SmtpMailer } from './adapters/smtp-mailer.js';
export { SqlAudience } from './adapters/sql-audience.js';
export { SqlNotificationPreferences } from './adapters/sql-notification-preferences.js';
export { SqlOutbox } from './adapters/sql-outbox.js';
export { SqlPushSubscriptions } from './adapters/sql-push-subscriptions.js';
export { SqlSlackInstallations } from './adapters/sql-slack-installations.js';
export { SqlSlackInteractions } from './adapters/sql-slack-interactions.js';
export { SqlSlackLinks } from './adapters/sql-slack-links.js';
export { SqlSlackMessages, SqlSlackPace } from './adapters/sql-slack-messages.js';
export { SqlWaitingSlackApps } from './adapters/sql-waiting-slack-apps.js';
export { WebPushSender } from './adapters/web-push-sender.js';
export { AnswerCommand, type CommandAnswer } from './application/answer-command.js';
export { DeliverMail } from './application/deliver-mail.js';
export { DeliverOutbox } from './application/deliver-outbox.js';
export { DeliverPush } from './application/deliver-push.js';
export { DeliverToSlack } from './application/deliver-to-slack.js';
export { SetNotificationPreferences } from './application/notification-preferences.js';
export { NOTICE_SOURCES, SLACK_FOLLOWER, THREAD_REPLIES } from './application/notify.tokens.js';
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
export { MailInvitations } from './application/mail-invitations.js';
export { OperatorNotices } from './application/operator-notices.js';
export { PutSlackMessage } from './application/put-slack-message.js';
export { ReadContent } from './application/read-content.js';
export { ReadRequestMessage } from './application/read-request-message.js';
export { ReceiveEvent } from './application/receive-event.js';
export { ReceiveInteraction } from './application/receive-interaction.js';
export { ResendOutbox } from './application/resend-outbox.js';
export { LinkSlackUser, type SlackUserShown } from './application/slack-links.js';
export { PutSlackApp } from './application/put-slack-app.js';
export { RouteSlack } from './application/route-slack.js';
export { BOT_SCOPES, SlackSetUp } from './application/slack-set-up.js';
export { TestSlack, type SlackTest } from './application/test-slack.js';
export { SpreadMessage } from './application/spread-message.js';
export { TestAddress } from './application/test-address.js';
export { WorkInteraction } from './application/work-interaction.js';
export type { SlackHeaders } from './domain/slack-signature.js';
