import { v7 } from 'uuid';
import { parsedValue, sqlOf } from '#lib/database';
import type { JobQueue, Tx } from '#lib/kernel';
import type { ReceivedInteraction, SlackInteractions } from '../application/slack.ports.js';
import { interactionSchema, type Interaction } from '../domain/interaction.js';

/** Interactions from Slack, table slack_interaction. A finished one stays for a while, so that a repetition is recognised. */
export class SqlSlackInteractions implements SlackInteractions {
  constructor(private readonly jobs: JobQueue) {}

  async receive(tx: Tx, bodyDigest: Uint8Array, interaction: Interaction): Promise<string | null> {
    const id = v7();
    const inserted = await sqlOf(tx).execute(
      `insert into slack_interaction (tenant_id, id, body_digest, payload, received_at, next_attempt_at)
       values ($1, $2, $3, $4, clock_timestamp(), clock_timestamp())
       on conflict (tenant_id, body_digest) do nothing`,
      [tx.tenantId, id, bodyDigest, JSON.stringify(interaction)],
    );
    if (inserted === 0) return null;
    await this.jobs.enqueue(tx, 'slack.interaction', id);
    return id;
  }

  async claim(tx: Tx, id: string, leaseMs: number): Promise<ReceivedInteraction | null> {
    const [row] = await sqlOf(tx).query<{ payload: unknown; attempts: number }>(
      `update slack_interaction
          set attempts = attempts + 1, next_attempt_at = clock_timestamp() + $3 * interval '1 millisecond'
        where tenant_id = $1 and id = (
          select id from slack_interaction
           where tenant_id = $1 and id = $2 and done_at is null and next_attempt_at <= clock_timestamp()
             for update skip locked)
        returning payload, attempts`,
      [tx.tenantId, id, leaseMs],
    );
    if (row === undefined) return null;
    return {
      id,
      interaction: parsedValue(interactionSchema, row.payload, { table: 'slack_interaction', column: 'payload', id }),
      attempts: row.attempts,
    };
  }

  async giveBack(
    tx: Tx,
    { id, attempts }: Pick<ReceivedInteraction, 'id' | 'attempts'>,
    afterMs: number,
  ): Promise<void> {
    await sqlOf(tx).execute(
      `update slack_interaction set next_attempt_at = clock_timestamp() + $4 * interval '1 millisecond'
        where tenant_id = $1 and id = $2 and attempts = $3 and done_at is null`,
      [tx.tenantId, id, attempts, afterMs],
    );
  }

  async done(tx: Tx, id: string, outcome: string): Promise<void> {
    await sqlOf(tx).execute(
      `update slack_interaction set done_at = clock_timestamp(), outcome = $3
        where tenant_id = $1 and id = $2 and done_at is null`,
      [tx.tenantId, id, outcome],
    );
  }
}
