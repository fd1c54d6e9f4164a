import { IsNull } from 'typeorm';
import { rowsOf, sqlOf } from '#lib/database';
import type { ApprovalRequestId, Tx } from '#lib/kernel';
import type { ReminderRepository } from '../application/approval.ports.js';
import type { Reminder, ReminderKind } from '../domain/reminders.js';
import { approvalReminderEntity } from './approval.entity.js';

/** Reminders in PostgreSQL, table approval_reminder. */
export class SqlReminders implements ReminderRepository {
  plan(tx: Tx, requestId: ApprovalRequestId, reminders: readonly Reminder[]): Promise<void> {
    const rows = reminders.map(({ which, dueAt, roles }) => ({ which, due_at: new Date(dueAt), roles }));
    sqlOf(tx).callAhead('approval_reminders_insert', [requestId, JSON.stringify(rows)]);
    return Promise.resolve();
  }

  async unsettled(tx: Tx, requestId: ApprovalRequestId): Promise<readonly Reminder[]> {
    const options = { order: { dueAt: 'asc', which: 'asc' }, lock: 'update' } as const;
    const rows = await rowsOf(tx, approvalReminderEntity).find({ requestId, settledAt: IsNull() }, options);
    return rows.map(({ which, dueAt, roles }) => ({ which, dueAt, roles }));
  }

  async settle(
    tx: Tx,
    requestId: ApprovalRequestId,
    which: ReminderKind,
    { at: settledAt, sent }: { readonly at: number; readonly sent: boolean },
  ): Promise<void> {
    const unsettled = { requestId, which, settledAt: IsNull() };
    await rowsOf(tx, approvalReminderEntity).update(unsettled, { settledAt, sent });
  }

  async escalation(
    tx: Tx,
    requestId: ApprovalRequestId,
  ): Promise<{ readonly at: number; readonly roles: readonly string[]; readonly told: boolean } | null> {
    const row = await rowsOf(tx, approvalReminderEntity).findOne({ requestId, which: 'escalated' });
    // The table gives each escalation its roles (approval_reminder_roles_check).
    return row === null ? null : { at: row.dueAt, roles: row.roles ?? [], told: row.sent === true };
  }
}
