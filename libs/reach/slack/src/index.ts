/**
 * Slack: the app that a tenant installs in its workspace, and the Slack channel of delivery.
 *
 * Owns the installation by OAuth, the links between Slack users and people, and the routes of environments to channels. Owns
 * commands, interactions and events, and the messages in Slack with their pace and their rendering to Block Kit.
 *
 * Invariants: a request of Slack counts only if it is signed (T12), and counts once (T13); a button works for its own request
 * and plan alone; a message that is cut cannot be approved in Slack; a message is posted once, even after a crash; a Slack
 * user acts as the signed-in person who confirmed the link; a review from Slack is a review like any other.
 *
 * Never decides whether a review counts: approval and policy do. Never identifies a person by a name or an address.
 */
export { AnswerCommand, type CommandAnswer } from './application/answer-command.js';
export type { LinkedUser, SlackFollower, SlackSettings, ThreadReplies } from './application/slack.ports.js';
export { ReceiveEvent } from './application/receive-event.js';
export { ReceiveInteraction } from './application/receive-interaction.js';
export { LinkSlackUser } from './application/slack-links.js';
export { PutSlackApp } from './application/put-slack-app.js';
export { SLACK } from './application/slack-channel.js';
export { RouteSlack } from './application/route-slack.js';
export { BOT_SCOPES, SlackSetUp } from './application/slack-set-up.js';
export { TestSlack, type SlackTest } from './application/test-slack.js';
export {
  slackAppEntity,
  slackAppWaitingEntity,
  slackChannelEntity,
  slackInstallAttemptEntity,
  slackInstallationEntity,
  slackInteractionEntity,
  slackLinkEntity,
  slackMessageEntity,
} from './adapters/slack.entity.js';
export { oldSlackInteractions } from './adapters/sql-old-slack-interactions.js';
export { createSlack, createSlackApi, createSlackStore } from './create-slack.js';
