import { v7 } from 'uuid';
import { rowsOf, sqlOf, type RowOf } from '#lib/database';
import type { Tx } from '#lib/kernel';
import type { HeldMessage, MessageAbout, SlackMessages, WaitingReply } from '../application/slack.ports.js';
import { slackMessageEntity } from './slack.entity.js';

const message = slackMessageEntity.pick('id', 'slackChannelId', 'ts', 'renderedDigest', 'triedAt');

interface LockedRow extends Pick<RowOf<typeof slackMessageEntity>, 'id' | 'slackChannelId' | 'ts' | 'renderedDigest'> {
  readonly triedAt: number | null;
  readonly held: boolean;
  readonly waitedMs: number;
  readonly threadChannel: string | null;
  readonly threadTs: string | null;
}

/** Our messages in Slack, table slack_message. Taking one is on the way of every delivery, so it stays SQL. */
export class TypeormSlackMessages implements SlackMessages {
  async lock(tx: Tx, { subject, target, threadOf }: MessageAbout): Promise<HeldMessage | WaitingReply | 'busy'> {
    const sql = sqlOf(tx);
    sql.executeAhead(
      `insert into slack_message (tenant_id, id, subject, channel_id, created_at)
       values ($1, $2, $3, $4, clock_timestamp())
       on conflict (tenant_id, subject, channel_id) do nothing`,
      [tx.tenantId, v7(), subject, target],
    );
    const [stored] = await sql.query<LockedRow>(
      `select ${message.columns('message')}, coalesce(message.lease_until > clock_timestamp(), false) as held,
              extract(epoch from clock_timestamp() - message.created_at)::float8 * 1000 as "waitedMs",
              first.slack_channel_id as "threadChannel", first.ts as "threadTs"
         from slack_message message
         left join slack_message first
           on first.tenant_id = message.tenant_id and first.subject = $4 and first.channel_id = message.channel_id
        where message.tenant_id = $1 and message.subject = $2 and message.channel_id = $3
          for update of message`,
      [tx.tenantId, subject, target, threadOf],
    );
    if (stored === undefined) throw new Error('a message that was just written is not there');
    const { id, slackChannelId, ts, renderedDigest, triedAt, held, waitedMs, threadChannel, threadTs } =
      message.row(stored);
    if (held) return 'busy';
    if (threadOf !== null && threadTs === null) return { waitedMs };
    return {
      id,
      posted: ts === null || slackChannelId === null ? null : { channel: slackChannelId, ts },
      renderedDigest,
      triedAt,
      thread: threadTs === null || threadChannel === null ? null : { channel: threadChannel, ts: threadTs },
    };
  }

  take(tx: Tx, id: string, leaseMs: number): void {
    sqlOf(tx).executeAhead(
      `update slack_message set lease_until = clock_timestamp() + $3 * interval '1 millisecond',
              tried_at = coalesce(tried_at, clock_timestamp())
        where tenant_id = $1 and id = $2`,
      [tx.tenantId, id, leaseMs],
    );
  }

  async posted(
    tx: Tx,
    id: string,
    at: { readonly channel: string; readonly ts: string },
    digest: string,
  ): Promise<void> {
    await sqlOf(tx).execute(
      `update slack_message set slack_channel_id = $3, ts = $4, rendered_digest = $5, lease_until = null,
              posted_at = coalesce(posted_at, clock_timestamp())
        where tenant_id = $1 and id = $2`,
      [tx.tenantId, id, at.channel, at.ts, digest],
    );
  }

  async lost(tx: Tx, id: string): Promise<void> {
    await rowsOf(tx, slackMessageEntity).update(
      { id },
      { slackChannelId: null, ts: null, postedAt: null, renderedDigest: null, triedAt: null, leaseUntil: null },
    );
  }

  async release(tx: Tx, id: string): Promise<void> {
    await rowsOf(tx, slackMessageEntity).update({ id }, { leaseUntil: null });
  }

  async postedAt(tx: Tx, subject: string, target: string): Promise<{ readonly channel: string | null } | null> {
    const row = await rowsOf(tx, slackMessageEntity).findOne({ subject, channelId: target });
    return row === null ? null : { channel: row.slackChannelId };
  }

  async subjectAt(tx: Tx, { channel, ts }: { readonly channel: string; readonly ts: string }): Promise<string | null> {
    return (await rowsOf(tx, slackMessageEntity).findOne({ slackChannelId: channel, ts }))?.subject ?? null;
  }
}
