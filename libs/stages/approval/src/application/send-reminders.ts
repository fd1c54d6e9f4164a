import type { ApprovalRequestId, AuditSink, Outbox, SystemPrincipal, TenantId, UnitOfWork } from '#lib/kernel';
import { actorOf } from '#lib/kernel';
import { belongsTo, isDue } from '../domain/approval-request.js';
import { dueReminders } from '../domain/reminders.js';
import type { ApprovalRepository, ReminderRepository } from './approval.ports.js';

/**
 * Has people told of undecided requests: at half time, and near the end. Further people are told if the autonomy
 * document says so. Each reminder is sent once, even after a crash: the transaction that writes the message settles it.
 * A reminder gives no right to review.
 */
export class SendReminders {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly requests: Pick<ApprovalRepository, 'lock'>,
    private readonly reminders: ReminderRepository,
    private readonly outbox: Outbox,
    private readonly audit: AuditSink,
  ) {}

  /** @returns whether people were told of the request. */
  execute(tenantId: TenantId, id: ApprovalRequestId): Promise<boolean> {
    const principal: SystemPrincipal = { kind: 'system', tenantId, name: 'approval-reminders' };
    return this.uow.run(tenantId, async (tx) => {
      const request = await this.requests.lock(tx, id);
      if (request === null) return false;
      const now = await tx.now();
      const open = request.state === 'open' && !isDue(request, now);
      const { tell, drop } = dueReminders(await this.reminders.unsettled(tx, id), open, now);
      for (const { which } of drop) await this.reminders.settle(tx, id, which, { at: now, sent: false });
      for (const { which, roles } of tell) {
        await this.reminders.settle(tx, id, which, { at: now, sent: true });
        await this.outbox.write(tx, {
          topic: 'approval_request.reminder',
          payload: { request_id: id, which, ...(roles === null ? {} : { roles: roles.join(' ') }) },
        });
        await this.audit.record(tx, {
          action: which === 'escalated' ? 'approval_request.escalated' : 'approval_request.reminded',
          actor: actorOf(principal),
          level: 'basic',
          subject: { type: 'approval_request', id },
          within: belongsTo(request.subject),
          payload: roles === null ? { which } : { which, roles: [...roles] },
        });
      }
      return tell.length > 0;
    });
  }
}
