import { v7 } from 'uuid';
import { sqlOf } from '#lib/database';
import type { Tx } from '#lib/kernel';
import type { HeldMessage, SlackMessages } from '../application/slack.ports.js';
import { epochMs, toMsOrNull } from './epoch-ms.js';

interface MessageRow {
  readonly id: string;
  readonly slack_channel_id: string | null;
  readonly ts: string | null;
  readonly rendered_digest: string | null;
  readonly tried_at: string | null;
  readonly held: boolean;
  readonly thread_channel: string | null;
  readonly thread_ts: string | null;
}

/** Our messages in Slack. */
export class SqlSlackMessages implements SlackMessages {
  async lock(
    tx: Tx,
    about: { readonly subject: string; readonly target: string; readonly threadOf: string | null },
  ): Promise<HeldMessage | 'busy'> {
    const sql = sqlOf(tx);
    sql.executeAhead(
      `insert into slack_message (tenant_id, id, subject, channel_id, thread_id, created_at)
       values ($1, $2, $3, $4,
         (select id from slack_message where tenant_id = $1 and subject = $5 and channel_id = $4), clock_timestamp())
       on conflict (tenant_id, subject, channel_id) do nothing`,
      [tx.tenantId, v7(), about.subject, about.target, about.threadOf],
    );
    const [row] = await sql.query<MessageRow>(
      `select message.id, message.slack_channel_id, message.ts, message.rendered_digest,
              ${epochMs('message.tried_at')} as tried_at,
              coalesce(message.lease_until > clock_timestamp(), false) as held,
              parent.slack_channel_id as thread_channel, parent.ts as thread_ts
         from slack_message message
         left join slack_message parent on parent.tenant_id = message.tenant_id and parent.id = message.thread_id
        where message.tenant_id = $1 and message.subject = $2 and message.channel_id = $3
          for update of message`,
      [tx.tenantId, about.subject, about.target],
    );
    if (row === undefined) throw new Error('a message that was just written is not there');
    const threadReady = about.threadOf === null || row.thread_ts !== null;
    if (row.held || !threadReady) return 'busy';
    return {
      id: row.id,
      posted: row.ts === null || row.slack_channel_id === null ? null : { channel: row.slack_channel_id, ts: row.ts },
      renderedDigest: row.rendered_digest,
      triedAt: toMsOrNull(row.tried_at),
      thread:
        row.thread_ts === null || row.thread_channel === null
          ? null
          : { channel: row.thread_channel, ts: row.thread_ts },
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
    await sqlOf(tx).execute(
      `update slack_message set slack_channel_id = null, ts = null, posted_at = null, rendered_digest = null,
              tried_at = null, lease_until = null
        where tenant_id = $1 and id = $2`,
      [tx.tenantId, id],
    );
  }

  async release(tx: Tx, id: string): Promise<void> {
    await sqlOf(tx).execute('update slack_message set lease_until = null where tenant_id = $1 and id = $2', [
      tx.tenantId,
      id,
    ]);
  }

  async postedAt(tx: Tx, subject: string, target: string): Promise<{ readonly channel: string | null } | null> {
    const [row] = await sqlOf(tx).query<{ slack_channel_id: string | null }>(
      'select slack_channel_id from slack_message where tenant_id = $1 and subject = $2 and channel_id = $3',
      [tx.tenantId, subject, target],
    );
    return row === undefined ? null : { channel: row.slack_channel_id };
  }

  async subjectAt(tx: Tx, { channel, ts }: { readonly channel: string; readonly ts: string }): Promise<string | null> {
    const [row] = await sqlOf(tx).query<{ subject: string }>(
      'select subject from slack_message where tenant_id = $1 and slack_channel_id = $2 and ts = $3',
      [tx.tenantId, channel, ts],
    );
    return row?.subject ?? null;
  }
}
