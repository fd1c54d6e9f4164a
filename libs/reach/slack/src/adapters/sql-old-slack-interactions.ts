import { dropOldRows, type OldRows } from '#lib/database';
import { slackInteractionEntity } from './slack.entity.js';

const AGE_MS = 24 * 3_600_000;

/** A click is good for five minutes; it is kept for a day, so that its result can be seen. It may hold a reviewer's comment. */
export const oldSlackInteractions: OldRows = {
  name: 'slack-interactions',
  tenants: 'slack_interaction_done_tenants',
  ageMs: AGE_MS,
  drop: dropOldRows(
    'slack_interaction',
    slackInteractionEntity.column.doneAt,
    `${slackInteractionEntity.as('old').doneAt} < $2`,
  ),
};
