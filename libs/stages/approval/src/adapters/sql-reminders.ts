import { sqlOf } from '#lib/database';
import type { ApprovalRequestId, Tx } from '#lib/kernel';
import type { ReminderRepository } from '../application/approval.ports.js';
import type { Reminder, ReminderKind } from '../domain/reminders.js';

/** Reminders in PostgreSQL, table approval_reminder. */
export class SqlReminders implements ReminderRepository {
  plan(tx: Tx, requestId: ApprovalRequestId, reminders: readonly Reminder[]): Promise<void> {
    const rows = reminders.map(({ which, dueAt, roles }) => ({ which, due_at: new Date(dueAt), roles }));
    sqlOf(tx).callAhead('approval_reminders_insert', [requestId, JSON.stringify(rows)]);
    return Promise.resolve();
  }

  async unsettled(tx: Tx, requestId: ApprovalRequestId): Promise<readonly Reminder[]> {
    const rows = await sqlOf(tx).query<{ which: ReminderKind; due_at: Date; roles: readonly string[] | null }>(
      `select which, due_at, roles from approval_reminder
        where tenant_id = $1 and request_id = $2 and settled_at is null order by due_at, which for update`,
      [tx.tenantId, requestId],
    );
    return rows.map(({ which, due_at, roles }) => ({ which, dueAt: due_at.getTime(), roles }));
  }

  async settle(
    tx: Tx,
    requestId: ApprovalRequestId,
    which: ReminderKind,
    how: { readonly at: number; readonly sent: boolean },
  ): Promise<void> {
    await sqlOf(tx).execute(
      `update approval_reminder set settled_at = $4, sent = $5
        where tenant_id = $1 and request_id = $2 and which = $3 and settled_at is null`,
      [tx.tenantId, requestId, which, new Date(how.at), how.sent],
    );
  }

  async escalation(
    tx: Tx,
    requestId: ApprovalRequestId,
  ): Promise<{ readonly at: number; readonly roles: readonly string[]; readonly told: boolean } | null> {
    const [row] = await sqlOf(tx).query<{ due_at: Date; roles: readonly string[]; sent: boolean | null }>(
      `select due_at, roles, sent from approval_reminder
        where tenant_id = $1 and request_id = $2 and which = 'escalated'`,
      [tx.tenantId, requestId],
    );
    return row === undefined ? null : { at: row.due_at.getTime(), roles: row.roles, told: row.sent === true };
  }
}
