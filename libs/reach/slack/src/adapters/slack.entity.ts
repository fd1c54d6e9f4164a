import { bytes, entity, integer, json, moment, nullable, text, uuid } from '#lib/database';
import type { ChangeRequestId, CredentialId, PersonId } from '#lib/kernel';
import { interactionSchema } from '../domain/interaction.js';

export const slackAppEntity = entity(
  'slack_app',
  {},
  {
    clientId: text(),
    keyId: text(),
    clientSecretNonce: bytes(),
    clientSecret: bytes(),
    signingSecretNonce: bytes(),
    signingSecret: bytes(),
    updatedAt: moment(),
    updatedBy: uuid<PersonId>(),
  },
);

export const slackAppWaitingEntity = entity(
  'slack_app_waiting',
  { changeId: uuid<ChangeRequestId>() },
  { keyId: text(), nonce: bytes(), ciphertext: bytes() },
);

export const slackInstallationEntity = entity(
  'slack_installation',
  { id: uuid() },
  {
    teamId: text(),
    teamName: text(),
    appId: text(),
    botUserId: text(),
    scopes: text(),
    keyId: text(),
    botTokenNonce: bytes(),
    botToken: bytes(),
    installedAt: moment(),
    installedBy: uuid<PersonId>(),
  },
);

export const slackInstallAttemptEntity = entity(
  'slack_install_attempt',
  { id: uuid() },
  {
    stateDigest: bytes(),
    createdBy: uuid<PersonId>(),
    credentialId: uuid<CredentialId>(),
    reason: nullable(text()),
    createdAt: moment(),
    expiresAt: moment(),
    usedAt: nullable(moment()),
  },
);

export const slackChannelEntity = entity(
  'slack_channel',
  { environment: text() },
  { channelId: text(), updatedAt: moment() },
);

export const slackLinkEntity = entity(
  'slack_link',
  { id: uuid() },
  {
    personId: uuid<PersonId>(),
    credentialId: uuid<CredentialId>(),
    teamId: text(),
    slackUserId: text(),
    linkedAt: moment(),
    endedAt: nullable(moment()),
  },
);

export const slackMessageEntity = entity(
  'slack_message',
  { id: uuid() },
  {
    subject: text(),
    channelId: text(),
    slackChannelId: nullable(text()),
    ts: nullable(text()),
    renderedDigest: nullable(text()),
    triedAt: nullable(moment()),
    leaseUntil: nullable(moment()),
    createdAt: moment(),
    postedAt: nullable(moment()),
  },
);

/** Clicks and modals, as Slack sent them. */
export const slackInteractionEntity = entity(
  'slack_interaction',
  { id: uuid() },
  {
    bodyDigest: bytes(),
    payload: json(interactionSchema),
    receivedAt: moment(),
    nextAttemptAt: moment(),
    attempts: integer(),
    doneAt: nullable(moment()),
    outcome: nullable(text()),
  },
);
