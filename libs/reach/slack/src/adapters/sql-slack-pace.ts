import { sqlOf } from '#lib/database';
import type { Tx } from '#lib/kernel';
import type { PacedCall, SlackPace } from '../application/slack.ports.js';
import { EARLY_MS, EDIT, POST, TURN_MS } from '../domain/pace-limits.js';

/** Edits share one pace in the workspace. */
const EDITS = '*';

/** The pace of a kind of call, as the functions of the database take it. */
export function paceOf(kind: PacedCall['kind']): readonly number[] {
  const { everyMs, burst } = kind === 'edit' ? EDIT : POST;
  return [everyMs, everyMs * (burst - 1), TURN_MS, EARLY_MS];
}

/** The pace of calls, table slack_pace. */
export class SqlSlackPace implements SlackPace {
  async take(tx: Tx, { kind, target }: PacedCall): Promise<number> {
    const [row] = await sqlOf(tx).query<{ readonly wait: number }>(
      'select slack_pace_take($1, $2, $3, $4, $5, $6) as wait',
      [kind === 'edit' ? EDITS : target, kind, ...paceOf(kind)],
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
