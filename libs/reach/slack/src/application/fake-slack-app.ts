import type { Installed, SlackApp } from './slack.ports.js';

/** The credentials of an app, as an admin enters them. */
export const sampleApp = (): SlackApp => ({
  clientId: '1.1',
  clientSecret: 'c'.repeat(32),
  signingSecret: '5'.repeat(31).concat('a'),
});

/** Slack's answer about a workspace. */
export const sampleInstalled = (teamId = 'T1'): Installed => ({
  teamId,
  teamName: `Workspace ${teamId}`,
  appId: 'A1',
  botUserId: 'UBOT',
  botToken: 'xoxb-1',
  scopes: 'chat:write,commands',
});
