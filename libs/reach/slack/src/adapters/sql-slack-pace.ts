import { sqlOf } from '#lib/database';
import type { Tx } from '#lib/kernel';
import type { PacedCall, SlackPace } from '../application/slack.ports.js';

interface Limit {
  /** Milliseconds between two calls, on average. */
  readonly everyMs: number;
  /** Calls at once after a pause. */
  readonly burst: number;
}

/** chat.postMessage: "one message per second per channel" (https://docs.slack.dev/apis/web-api/rate-limits). */
const POST: Limit = { everyMs: 1_000, burst: 1 };
/**
 * chat.update is Tier 3: 50 calls a minute in a workspace (https://docs.slack.dev/reference/methods/chat.update). Ten at once and
 * forty in the next minute stay within it.
 */
const EDIT: Limit = { everyMs: 1_500, burst: 10 };
const EDITS = '*';
/** A new message keeps its turn for this time before a reply may take it: workers look for due messages once a second. */
const TURN_MS = 1_300;
/** A call that comes at most this early waits for its turn. */
const EARLY_MS = 300;

/** The pace of calls, table slack_pace. */
export class SqlSlackPace implements SlackPace {
  async take(tx: Tx, { kind, target }: PacedCall): Promise<number> {
    const { everyMs, burst } = kind === 'edit' ? EDIT : POST;
    const [row] = await sqlOf(tx).query<{ readonly wait: number }>(
      'select slack_pace_take($1, $2, $3, $4, $5, $6) as wait',
      [kind === 'edit' ? EDITS : target, kind, everyMs, everyMs * (burst - 1), TURN_MS, EARLY_MS],
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
