import { v7 } from 'uuid';
import { rowsOf, sqlOf, type RowOf } from '#lib/database';
import type { Tx } from '#lib/kernel';
import type {
  HeldMessage,
  MessageAbout,
  SlackMessages,
  WaitingPost,
  WaitingReply,
} from '../application/slack.ports.js';
import { slackMessageEntity } from './slack.entity.js';
import { paceOf } from './sql-slack-pace.js';

const COLUMN = slackMessageEntity.column;
const SLACK_MESSAGE = slackMessageEntity.as('slack_message');

const message = slackMessageEntity.pick('id', 'slackChannelId', 'ts', 'renderedDigest', 'triedAt');

interface TakenRow extends Pick<RowOf<typeof slackMessageEntity>, 'id' | 'slackChannelId' | 'ts' | 'renderedDigest'> {
  readonly triedAt: number | null;
  readonly held: boolean;
  readonly waitedMs: number;
  readonly threadChannel: string | null;
  readonly threadTs: string | null;
  readonly delayMs: number | null;
}

/** Our messages in Slack, table slack_message. Taking one is on the way of every delivery, so it stays SQL. */
export class SqlSlackMessages implements SlackMessages {
  async take(
    tx: Tx,
    { subject, target, threadOf }: MessageAbout,
    leaseMs: number,
  ): Promise<HeldMessage | WaitingReply | WaitingPost | 'busy'> {
    const [stored] = await sqlOf(tx).query<TakenRow>(
      `select ${message.columns('taken')}, held, waited_ms as "waitedMs", thread_channel as "threadChannel",
              thread_ts as "threadTs", delay_ms as "delayMs"
         from slack_message_take($1, $2, $3, $4, $5, $6, $7, $8, $9) taken`,
      [v7(), subject, target, threadOf, leaseMs, ...paceOf(threadOf === null ? 'message' : 'reply')],
    );
    if (stored === undefined) throw new Error('a message that was just written is not there');
    const { id, slackChannelId, ts, renderedDigest, triedAt, held, waitedMs, threadChannel, threadTs, delayMs } =
      message.row(stored);
    if (held) return 'busy';
    if (threadOf !== null && threadTs === null) return { waitedMs };
    if (ts === null && delayMs !== 0) return delayMs === null ? 'busy' : { delayMs };
    return {
      id,
      posted: ts === null || slackChannelId === null ? null : { channel: slackChannelId, ts },
      renderedDigest,
      triedAt,
      thread: threadTs === null || threadChannel === null ? null : { channel: threadChannel, ts: threadTs },
    };
  }

  lease(tx: Tx, id: string, leaseMs: number): void {
    sqlOf(tx).executeAhead(
      `update slack_message set ${COLUMN.leaseUntil} = clock_timestamp() + $3 * interval '1 millisecond'
        where tenant_id = $1 and ${SLACK_MESSAGE.id} = $2`,
      [tx.tenantId, id, leaseMs],
    );
  }

  /** It travels with the commit, as the result of the delivery does. */
  posted(tx: Tx, id: string, at: { readonly channel: string; readonly ts: string }, digest: string): Promise<void> {
    sqlOf(tx).executeAhead(
      `update slack_message set ${COLUMN.slackChannelId} = $3, ${COLUMN.ts} = $4, ${COLUMN.renderedDigest} = $5,
         ${COLUMN.leaseUntil} = null,
              ${COLUMN.postedAt} = coalesce(${SLACK_MESSAGE.postedAt}, clock_timestamp())
        where tenant_id = $1 and ${SLACK_MESSAGE.id} = $2`,
      [tx.tenantId, id, at.channel, at.ts, digest],
    );
    return Promise.resolve();
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
