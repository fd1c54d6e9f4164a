import type { SlackLinkView, SlackSettingsView, SlackTestView } from '#lib/api-schemas';
import { toTimestamp } from '#lib/kernel';
import { BOT_SCOPES, type LinkedUser, type SlackSettings, type SlackTest } from '#lib/slack';

export const slackSettingsView = ({ app, installation, channels, onDuty }: SlackSettings): SlackSettingsView => ({
  app: app === null ? null : { client_id: app.clientId },
  installation:
    installation === null
      ? null
      : {
          team_id: installation.teamId,
          team_name: installation.teamName,
          installed_at: toTimestamp(installation.installedAt),
        },
  channels: { ...channels },
  on_duty: [...onDuty],
  bot_scopes: [...BOT_SCOPES],
});

export const slackLinkView = (link: LinkedUser): SlackLinkView => ({
  id: link.id,
  team_id: link.teamId,
  user_id: link.userId,
  credential_id: link.credentialId,
  linked_at: toTimestamp(link.linkedAt),
});

export const slackTestView = ({ teamName, problem, channels }: SlackTest): SlackTestView => ({
  team_name: teamName,
  problem,
  channels: channels.map((channel) => ({ ...channel })),
});
