import { ownMember } from '#lib/canonical';
import { err, ok, type Principal, type Result, type UnitOfWork } from '#lib/kernel';
import { SlackCallError, type SlackApi, type SlackInstallations } from './slack.ports.js';
import { notInstalled } from './slack-links.js';

/** A channel of an environment, as Slack knows it. */
export interface TestedChannel {
  /** Empty for every other environment. */
  readonly environment: string;
  readonly channel: string;
  /** Null if Slack does not tell it. */
  readonly name: string | null;
  /** The problem, in words for an admin; null if the bot can post there. */
  readonly problem: string | null;
}

export interface SlackTest {
  /** The workspace of the bot's token; null if the token is good for none. */
  readonly teamName: string | null;
  readonly problem: string | null;
  readonly channels: readonly TestedChannel[];
}

/** Asks Slack whether the bot's token is good, and whether it can post in each channel. It posts nothing. */
export class TestSlack {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly installations: SlackInstallations,
    private readonly slack: SlackApi,
  ) {}

  /** Failures: `slack.not_installed`. */
  async execute(by: Principal): Promise<Result<SlackTest>> {
    const { workspace, settings } = await this.uow.run(by.tenantId, async (tx) => ({
      workspace: await this.installations.workspace(tx),
      settings: await this.installations.settings(tx),
    }));
    if (workspace === null) return err(notInstalled);
    const { botToken, teamId } = workspace;
    const known = await asked(this.slack.workspaceOf(botToken));
    if (known instanceof SlackCallError) return ok({ teamName: null, problem: inWords(known), channels: [] });
    const problem =
      known.teamId === teamId ? null : 'The token is for another workspace than the one that was installed.';
    const channels: TestedChannel[] = [];
    // One after another: Slack slows down many calls at once.
    for (const [environment, channel] of Object.entries(settings.channels)) {
      const name = await asked(this.slack.channelName(botToken, channel));
      const failed = name instanceof SlackCallError;
      channels.push({ environment, channel, name: failed ? null : name, problem: failed ? inWords(name) : null });
    }
    return ok({ teamName: known.teamName, problem, channels });
  }
}

const asked = <Answer>(answer: Promise<Answer>): Promise<Answer | SlackCallError> =>
  answer.catch((error: unknown) => {
    if (error instanceof SlackCallError) return error;
    throw error;
  });

const WORDS: Readonly<Record<string, string>> = {
  not_in_channel: 'The bot is not in this channel. Type /invite @Countersign there.',
  channel_not_found: 'Slack knows no such channel, or it is private and the bot is not in it.',
  is_archived: 'This channel is archived.',
  invalid_auth: 'Slack does not know the token any more. Install the app again.',
  token_revoked: 'The token was revoked in Slack. Install the app again.',
  account_inactive: 'The bot was removed from the workspace. Install the app again.',
  unreachable: 'Slack did not answer.',
  rate_limited: 'Slack asks to wait. Test again in a minute.',
};

const inWords = ({ code }: SlackCallError): string => ownMember(WORDS, code) ?? `Slack refuses: ${code}.`;
