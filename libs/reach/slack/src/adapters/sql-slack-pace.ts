import { sqlOf } from '#lib/database';
import type { Tx } from '#lib/kernel';
import type { PacedCall, SlackPace } from '../application/slack.ports.js';

interface Limit {
  /** Milliseconds from one call to the next, in the long run. */
  readonly everyMs: number;
  /** Calls that may come at once after a pause. */
  readonly burst: number;
}

/** chat.postMessage: "one message per second per channel" (https://docs.slack.dev/apis/web-api/rate-limits). */
const POST: Limit = { everyMs: 1_000, burst: 1 };
/**
 * chat.update is Tier 3: 50 calls a minute in a workspace (https://docs.slack.dev/reference/methods/chat.update). Ten at once and
 * forty in the minute after are never more.
 */
const EDIT: Limit = { everyMs: 1_500, burst: 10 };
const EDITS = '*';
/** How long a new message keeps its turn before a reply may take it: workers look for due messages once a second. */
const TURN_MS = 1_300;
/** A call that comes so much before its turn waits for it. */
const EARLY_MS = 300;

/** The pace of calls, table slack_pace. */
export class SqlSlackPace implements SlackPace {
  async take(tx: Tx, { kind, target }: PacedCall): Promise<number> {
    const sql = sqlOf(tx);
    const key = kind === 'edit' ? EDITS : target;
    const { everyMs, burst } = kind === 'edit' ? EDIT : POST;
    sql.executeAhead(
      `insert into slack_pace (tenant_id, channel_id, free_at, queued_until) values ($1, $2, '-infinity', '-infinity')
       on conflict (tenant_id, channel_id) do nothing`,
      [tx.tenantId, key],
    );
    const taken = await sql.execute(
      `update slack_pace
          set free_at = greatest(free_at, clock_timestamp() - $4 * interval '1 millisecond') + $3 * interval '1 millisecond',
              new_until = case when $7 and new_until <= clock_timestamp() then '-infinity' else new_until end
        where tenant_id = $1 and channel_id = $2 and free_at <= clock_timestamp()
          and ($5 or new_until + $6 * interval '1 millisecond' <= clock_timestamp())`,
      [tx.tenantId, key, everyMs, everyMs * (burst - 1), kind !== 'reply', TURN_MS, kind === 'message'],
    );
    if (taken === 1) return 0;
    // Each that waits is told a turn of its own, so that they don't all come back at once; one that came a little early keeps its.
    const [column, turn] =
      kind === 'message'
        ? ['new_until', 'greatest(new_until + step, free_at)']
        : ['queued_until', 'greatest(queued_until + step, free_at, new_until + step)'];
    const [row] = await sql.query<{ wait: string }>(
      `update slack_pace set ${column} = case when early then ${column} else ${turn} end
         from (select now, $3 * interval '1 millisecond' as step,
                      free_at > now and free_at < now + $4 * interval '1 millisecond' as early
                 from slack_pace, (select clock_timestamp() as now) clock
                where tenant_id = $1 and channel_id = $2) turn
        where tenant_id = $1 and channel_id = $2
        returning ceil(extract(epoch from case when early then free_at else ${column} end - now) * 1000) as wait`,
      [tx.tenantId, key, everyMs, EARLY_MS],
    );
    return Math.max(10, Number(row?.wait ?? everyMs));
  }

  async hold(tx: Tx, { kind, target }: PacedCall, delayMs: number): Promise<void> {
    await sqlOf(tx).execute(
      `update slack_pace set free_at = greatest(free_at, clock_timestamp() + $3 * interval '1 millisecond')
        where tenant_id = $1 and channel_id = $2`,
      [tx.tenantId, kind === 'edit' ? EDITS : target, delayMs],
    );
  }
}
