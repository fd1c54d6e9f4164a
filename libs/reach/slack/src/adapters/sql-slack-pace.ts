import { sqlOf } from '#lib/database';
import type { Tx } from '#lib/kernel';
import type { MessageAbout, PacedCall, SlackPace } from '../application/slack.ports.js';
import { EARLY_MS, EDIT, POST, TURN_MS } from '../domain/pace-limits.js';

/** Edits share one pace in the workspace. */
const EDITS = '*';

/** The pace of calls, table slack_pace. */
export class SqlSlackPace implements SlackPace {
  async take(tx: Tx, { kind, target }: PacedCall, posts: MessageAbout | null): Promise<number | null> {
    const { everyMs, burst } = kind === 'edit' ? EDIT : POST;
    const [row] = await sqlOf(tx).query<{ readonly wait: number | null }>(
      `select case when $8::text is null or exists (
                select from slack_message message
                  join slack_installation installation on installation.tenant_id = message.tenant_id
                 where message.tenant_id = $1 and message.subject = $8 and message.channel_id = $2 and message.ts is null
                   and coalesce(message.lease_until <= clock_timestamp(), true)
                   and ($9::text is null or exists (
                     select from slack_message first
                      where first.tenant_id = $1 and first.subject = $9 and first.channel_id = $2 and first.ts is not null)))
              then slack_pace_take($2, $3, $4, $5, $6, $7) end as wait`,
      [
        ...[tx.tenantId, kind === 'edit' ? EDITS : target, kind, everyMs, everyMs * (burst - 1), TURN_MS, EARLY_MS],
        ...[posts?.subject ?? null, posts?.threadOf ?? null],
      ],
    );
    if (row === undefined) throw new Error('the pace of a channel has no answer');
    return row.wait;
  }

  async hold(tx: Tx, { kind, target }: PacedCall, delayMs: number): Promise<void> {
    await sqlOf(tx).execute(
      `update slack_pace set free_at = greatest(free_at, clock_timestamp() + $3 * interval '1 millisecond')
        where tenant_id = $1 and channel_id = $2`,
      [tx.tenantId, kind === 'edit' ? EDITS : target, delayMs],
    );
  }
}
