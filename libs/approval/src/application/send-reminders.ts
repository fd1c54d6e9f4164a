import type { AuditSink, Outbox, SystemPrincipal, UnitOfWork } from '#lib/kernel';
import { actorOf } from '#lib/kernel';
import { belongsTo, isDue } from '../domain/approval-request.js';
import { dueReminders } from '../domain/reminders.js';
import type { ApprovalRepository, DueApprovals, DueRow, ReminderRepository } from './approval.ports.js';

/**
 * Has people told of requests that nobody decides: at half time, near the end, and further people where the autonomy
 * document says so. Each once, whatever dies: it is settled in the transaction that writes the message. Being told gives
 * nobody a right to review.
 */
export class SendReminders {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly due: DueApprovals,
    private readonly requests: ApprovalRepository,
    private readonly reminders: ReminderRepository,
    private readonly outbox: Outbox,
    private readonly audit: AuditSink,
  ) {}

  /** @returns how many requests people were told of, of at most `limit` looked at. */
  async execute(limit: number): Promise<number> {
    let told = 0;
    for (const row of await this.due.remindable(limit)) {
      if (await this.remind(row)) told += 1;
    }
    return told;
  }

  private remind({ tenantId, id }: DueRow): Promise<boolean> {
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
