import type { ErrorCode, Logger, LogLevel, WebAPICallResult, WebClient, WebClientOptions } from '@slack/web-api';
import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { SlackCallError, type Installed, type SlackApi, type SlackApp } from '../application/slack.ports.js';
import type { SlackContent } from '../domain/block-kit.js';
import { SlackClients } from './slack-clients.js';
import { slackFetch } from './slack-fetch.js';

/** The metadata type of our messages, by which they are found again. */
const METADATA_TYPE = 'countersign_message';

const CALL_WITHIN_MS = 10_000;
/** The search for a message of our own reads at most this many pages of a channel. */
const MAX_PAGES = 10;

/** Errors of Slack that may be gone at the next attempt. */
const TRANSIENT = new Set([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'team_added_to_org',
  'ratelimited',
  'rate_limited',
]);

const postedSchema = z.object({ channel: z.string(), ts: z.string() });
const conversationSchema = z.object({ channel: z.object({ id: z.string() }) });
const pageSchema = z.object({
  messages: z.array(
    z.object({
      ts: z.string(),
      metadata: z.object({ event_type: z.string(), event_payload: z.record(z.string(), z.unknown()) }).optional(),
    }),
  ),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});
const userSchema = z.object({ user: z.object({ name: z.string(), real_name: z.string().optional() }) });
const workspaceSchema = z.object({ team_id: z.string(), team: z.string() });
const namedChannelSchema = z.object({ channel: z.object({ name: z.string(), is_member: z.boolean() }) });
const installedSchema = z.object({
  access_token: z.string().regex(/^xoxb-/),
  app_id: z.string(),
  bot_user_id: z.string(),
  scope: z.string(),
  team: z.object({ id: z.string(), name: z.string() }),
});

type SlackLibrary = Pick<typeof import('@slack/web-api'), 'WebClient' | 'LogLevel' | 'ErrorCode'>;

/** Slack's Web API. The first call loads its client. A caller decides about retries: it knows the effect of a second call. */
export class SlackWebApi implements SlackApi {
  readonly #options: WebClientOptions;
  readonly #clients = new SlackClients<WebClient>();
  /** Kept: each import of a bundled library copies its exports. */
  #library: Promise<SlackLibrary> | undefined;
  readonly #load: () => Promise<SlackLibrary>;

  /** @param siteUrl Slack, or a local server in its place. */
  constructor(siteUrl: string, load: () => Promise<SlackLibrary> = () => import('@slack/web-api')) {
    this.#load = load;
    this.#options = {
      slackApiUrl: `${siteUrl}/api/`,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      allowAbsoluteUrls: false,
      timeout: CALL_WITHIN_MS,
      fetch: slackFetch(),
    };
  }

  async post(
    token: string,
    message: {
      readonly channel: string;
      readonly threadTs: string | null;
      readonly content: SlackContent;
      readonly id: string;
    },
  ): Promise<{ readonly channel: string; readonly ts: string }> {
    const answer = await this.#call(token, 'chat.postMessage', {
      channel: message.channel,
      ...(message.threadTs === null ? {} : { thread_ts: message.threadTs }),
      ...bodyOf(message.content, message.id),
    });
    return postedSchema.parse(answer);
  }

  async update(
    token: string,
    at: { readonly channel: string; readonly ts: string },
    content: SlackContent,
    id: string,
  ): Promise<void> {
    await this.#call(token, 'chat.update', { ...at, ...bodyOf(content, id) });
  }

  async findOwn(
    token: string,
    where: { readonly channel: string; readonly threadTs: string | null; readonly since: number },
    id: string,
  ): Promise<string | null> {
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const answer = pageSchema.parse(
        await this.#call(token, where.threadTs === null ? 'conversations.history' : 'conversations.replies', {
          channel: where.channel,
          ...(where.threadTs === null ? {} : { ts: where.threadTs }),
          oldest: String(where.since / 1_000),
          include_all_metadata: true,
          limit: 200,
          ...(cursor === undefined ? {} : { cursor }),
        }),
      );
      const own = answer.messages.find(
        ({ metadata }) => metadata?.event_type === METADATA_TYPE && metadata.event_payload.id === id,
      );
      if (own !== undefined) return own.ts;
      cursor = answer.response_metadata?.next_cursor;
      if (cursor === undefined || cursor === '') return null;
    }
    return null;
  }

  async openDirect(token: string, user: string): Promise<string> {
    return conversationSchema.parse(await this.#call(token, 'conversations.open', { users: user })).channel.id;
  }

  async postEphemeral(
    token: string,
    to: { readonly channel: string; readonly user: string },
    content: SlackContent,
  ): Promise<void> {
    await this.#call(token, 'chat.postEphemeral', { ...to, ...content, ...inert });
  }

  async openModal(token: string, trigger: string, view: ModalView): Promise<void> {
    await this.#call(token, 'views.open', { trigger_id: trigger, view });
  }

  async userName(token: string, user: string): Promise<string> {
    const { name, real_name: real } = userSchema.parse(await this.#call(token, 'users.info', { user })).user;
    return real === undefined || real === '' ? name : `${real} (${name})`;
  }

  async workspaceOf(token: string): Promise<{ readonly teamId: string; readonly teamName: string }> {
    const { team_id: teamId, team } = workspaceSchema.parse(await this.#call(token, 'auth.test', {}));
    return { teamId, teamName: team };
  }

  async channelName(token: string, channel: string): Promise<string | null> {
    try {
      const { name, is_member: member } = namedChannelSchema.parse(
        await this.#call(token, 'conversations.info', { channel }),
      ).channel;
      if (!member) throw new SlackCallError('not_in_channel', false);
      return name;
    } catch (error) {
      // An app without the scope for names can still read the history if the bot is in the channel.
      if (!(error instanceof SlackCallError) || error.code !== 'missing_scope') throw error;
      await this.#call(token, 'conversations.history', { channel, limit: 1 });
      return null;
    }
  }

  async exchangeCode(app: SlackApp, code: string, redirectUrl: string): Promise<Installed> {
    const answer = await this.#call(undefined, 'oauth.v2.access', {
      client_id: app.clientId,
      client_secret: app.clientSecret,
      code,
      redirect_uri: redirectUrl,
    });
    const installed = installedSchema.safeParse(answer);
    if (!installed.success) throw new SlackCallError('unexpected_answer', false);
    const { access_token, app_id, bot_user_id, scope, team } = installed.data;
    return {
      teamId: team.id,
      teamName: team.name,
      appId: app_id,
      botUserId: bot_user_id,
      botToken: access_token,
      scopes: scope,
    };
  }

  /** Forgotten if it fails: the next call tries again. */
  #loaded(): Promise<SlackLibrary> {
    return (this.#library ??= this.#load().catch((error: unknown) => {
      this.#library = undefined;
      throw error;
    }));
  }

  async #call(
    token: string | undefined,
    method: string,
    parameters: Readonly<Record<string, unknown>>,
  ): Promise<WebAPICallResult> {
    const library = await this.#loaded();
    const make = (): WebClient =>
      new library.WebClient(token, { ...this.#options, logger: silentAt(library.LogLevel.ERROR) });
    return this.#clients.use(token, make, async (client) => {
      try {
        return await client.apiCall(method, parameters);
      } catch (error) {
        throw asCallError(error, library.ErrorCode);
      }
    });
  }
}

/** Slack reads no markup, mention or link from the text. */
const inert = { mrkdwn: false, parse: 'none', link_names: false, unfurl_links: false, unfurl_media: false } as const;

/** Blocks and metadata as text, which the form has in any case. The client would walk through an object for unread logs. */
const bodyOf = ({ blocks, ...content }: SlackContent, id: string): Readonly<Record<string, unknown>> => ({
  ...content,
  ...inert,
  blocks: JSON.stringify(blocks),
  metadata: JSON.stringify({ event_type: METADATA_TYPE, event_payload: { id } }),
});

const slackErrorSchema = z.object({
  code: z.string(),
  retryAfter: z.number().optional(),
  statusCode: z.number().optional(),
  data: z.object({ error: z.string() }).optional(),
});

/** @param codes the codes of the client, as text. */
function asCallError(error: unknown, codes: Readonly<Record<keyof typeof ErrorCode, string>>): SlackCallError {
  const parsed = slackErrorSchema.safeParse(error);
  // Errors without a Slack client code are network errors or timeouts.
  if (!parsed.success) return new SlackCallError('unreachable', true);
  const { code, retryAfter, statusCode, data } = parsed.data;
  switch (code) {
    case codes.RateLimitedError:
      return new SlackCallError('rate_limited', true, (retryAfter ?? 1) * 1_000);
    case codes.PlatformError:
      return new SlackCallError(data?.error ?? 'unknown', TRANSIENT.has(data?.error ?? ''));
    case codes.HTTPError:
      return new SlackCallError(`http_${String(statusCode ?? 0)}`, (statusCode ?? 500) >= 500);
    default:
      return new SlackCallError('unreachable', true);
  }
}

const nothing = (): void => undefined;
/** The client would write requests with tokens to standard output. The outbox records failures. */
const silentAt = (level: LogLevel): Logger => ({
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  setLevel: nothing,
  getLevel: () => level,
  setName: nothing,
});
