import { z } from 'zod';
import { workspaceOfUser } from './interaction.js';

const slackId = z.string().regex(/^[A-Z0-9]{1,32}$/);
const moment = z.string().regex(/^\d{1,12}\.\d{1,9}$/);

const challengeSchema = z.object({
  type: z.literal('url_verification'),
  challenge: z.string().regex(/^[A-Za-z0-9._-]{1,200}$/),
});

const envelopeSchema = z.object({
  type: z.literal('event_callback'),
  api_app_id: slackId,
  team_id: slackId,
  event_id: z.string().regex(/^[A-Za-z0-9]{1,64}$/),
  authorizations: z.array(z.object({ team_id: slackId.nullish(), enterprise_id: slackId.nullish() })).nullish(),
  event: z.record(z.string(), z.unknown()),
});

/** A reply of a person in a thread. A bot's text, an edited text and a text outside a thread are none. */
const replySchema = z.object({
  type: z.literal('message'),
  subtype: z.undefined().optional(),
  bot_id: z.undefined().optional(),
  user: slackId,
  user_team: slackId.nullish(),
  team: slackId.nullish(),
  channel: slackId,
  ts: moment,
  thread_ts: moment,
  text: z.string().max(40_000),
});

/** An event of Slack. No part of it counts before its signature is checked. */
export interface SlackEvent {
  readonly app: string;
  readonly team: string;
  /** Slack sends a repetition under the same id. */
  readonly id: string;
  readonly reply: {
    readonly user: string;
    /** The workspace of the user. */
    readonly userTeam: string;
    readonly channel: string;
    readonly threadTs: string;
    readonly text: string;
  } | null;
}

/** The challenge by which Slack checks the address once. It names no app, and the answer repeats it. */
export function challengeOf(body: unknown): string | null {
  const parsed = challengeSchema.safeParse(body);
  return parsed.success ? parsed.data.challenge : null;
}

/** @returns null if the body is no event. */
export function readEvent(body: unknown): SlackEvent | null {
  const parsed = envelopeSchema.safeParse(body);
  if (!parsed.success) return null;
  const { api_app_id: app, team_id: team, event_id: id, authorizations, event } = parsed.data;
  const reply = replySchema.safeParse(event);
  if (!reply.success || reply.data.thread_ts === reply.data.ts) return { app, team, id, reply: null };
  const { user, user_team: home, team: postedFrom, channel, thread_ts: threadTs, text } = reply.data;
  const organisation = authorizations?.find((each) => each.team_id === team)?.enterprise_id;
  const userTeam = workspaceOfUser(home ?? postedFrom, { team, organisation });
  return { app, team, id, reply: { user, userTeam, channel, threadTs, text: plainText(text) } };
}

/** A text as Slack shows it: links by their label and address, without escapes and forbidden characters. */
export const plainText = (text: string): string =>
  text
    .replaceAll(/<([^<>|]*)\|([^<>]*)>/g, '$2 ($1)')
    .replaceAll(/<([^<>]*)>/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll('\0', '')
    .toWellFormed()
    .trim();
