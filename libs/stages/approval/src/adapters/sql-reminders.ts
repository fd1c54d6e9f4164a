import { sqlOf } from '#lib/database';
import type { ApprovalRequestId, Tx } from '#lib/kernel';
import type { ReminderRepository } from '../application/approval.ports.js';
import type { Reminder, ReminderKind } from '../domain/reminders.js';

/** Reminders in PostgreSQL, table approval_reminder. */
export class SqlReminders implements ReminderRepository {
  async plan(tx: Tx, requestId: ApprovalRequestId, reminders: readonly Reminder[]): Promise<void> {
    await Promise.all(
      reminders.map(({ which, dueAt, roles }) =>
        sqlOf(tx).execute(
          'insert into approval_reminder (tenant_id, request_id, which, due_at, roles) values ($1, $2, $3, $4, $5)',
          [tx.tenantId, requestId, which, new Date(dueAt), roles],
        ),
      ),
    );
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
