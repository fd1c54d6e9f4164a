import { dropOldRows, type OldRows } from '#lib/database';
import { outboxMessageEntity } from './delivery.entity.js';

const OLD = outboxMessageEntity.as('old');

const AGE_MS = 30 * 24 * 3_600_000;

/**
 * A delivered message is kept as proof that it was sent. A parent is deleted after its copies; an undelivered copy still needs its parent.
 * Messages are sought by the time at which they were written, which has an index already.
 */
export const deliveredMessages: OldRows = {
  name: 'delivered-messages',
  tenants: 'outbox_delivered_tenants',
  ageMs: AGE_MS,
  drop: dropOldRows(
    'outbox_message',
    outboxMessageEntity.column.createdAt,
    `${OLD.state} = 'delivered' and ${OLD.createdAt} < $2 and ${OLD.deliveredAt} < $2
       and not exists (select from outbox_message spread where spread.tenant_id = $1 and spread.cause_id = ${OLD.id})`,
  ),
};
