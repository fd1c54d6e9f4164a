import { IsNull } from 'typeorm';
import { v7 } from 'uuid';
import { DATABASE_CLOCK, rowsOf, sqlOf } from '#lib/database';
import type { JobQueue, Tx } from '#lib/kernel';
import type { ReceivedInteraction, SlackInteractions } from '../application/slack.ports.js';
import type { Interaction } from '../domain/interaction.js';
import { slackInteractionEntity } from './slack.entity.js';

const COLUMN = slackInteractionEntity.column;
const TAKEN = slackInteractionEntity.as('taken');
const SLACK_INTERACTION = slackInteractionEntity.as('slack_interaction');

const CLAIMED = slackInteractionEntity.pick('id', 'payload', 'attempts');

/** Interactions from Slack, table slack_interaction. A finished one stays for a while, so that a repetition is recognised. */
export class SqlSlackInteractions implements SlackInteractions {
  constructor(private readonly jobs: JobQueue) {}

  async receive(tx: Tx, bodyDigest: Uint8Array, interaction: Interaction): Promise<string | null> {
    const id = v7();
    const fresh = { attempts: 0, doneAt: null, outcome: null };
    const times = { receivedAt: DATABASE_CLOCK, nextAttemptAt: DATABASE_CLOCK };
    const row = { id, bodyDigest, payload: interaction, ...fresh, ...times };
    if (!(await rowsOf(tx, slackInteractionEntity).insertUnless(['bodyDigest'], row))) return null;
    await this.jobs.enqueue(tx, 'slack.interaction', id);
    return id;
  }

  async claim(tx: Tx, id: string, leaseMs: number): Promise<ReceivedInteraction | null> {
    const [row] = await sqlOf(tx).query<object>(
      `update slack_interaction taken
          set ${COLUMN.attempts} = ${TAKEN.attempts} + 1, ${COLUMN.nextAttemptAt} = clock_timestamp() + $3 * interval '1 millisecond'
        where tenant_id = $1 and ${TAKEN.id} = (
          select ${SLACK_INTERACTION.id} from slack_interaction
           where tenant_id = $1 and ${SLACK_INTERACTION.id} = $2 and ${SLACK_INTERACTION.doneAt} is null
             and ${SLACK_INTERACTION.nextAttemptAt} <= clock_timestamp()
             for update skip locked)
        returning ${CLAIMED.columns('taken')}`,
      [tx.tenantId, id, leaseMs],
    );
    if (row === undefined) return null;
    const { payload, attempts } = CLAIMED.row(row);
    return { id, interaction: payload, attempts };
  }

  async giveBack(
    tx: Tx,
    { id, attempts }: Pick<ReceivedInteraction, 'id' | 'attempts'>,
    afterMs: number,
  ): Promise<void> {
    await sqlOf(tx).execute(
      `update slack_interaction set ${COLUMN.nextAttemptAt} = clock_timestamp() + $4 * interval '1 millisecond'
        where tenant_id = $1 and ${SLACK_INTERACTION.id} = $2 and ${SLACK_INTERACTION.attempts} = $3
          and ${SLACK_INTERACTION.doneAt} is null`,
      [tx.tenantId, id, attempts, afterMs],
    );
  }

  async done(tx: Tx, id: string, outcome: string): Promise<void> {
    await rowsOf(tx, slackInteractionEntity).update({ id, doneAt: IsNull() }, { doneAt: DATABASE_CLOCK, outcome });
  }
}
