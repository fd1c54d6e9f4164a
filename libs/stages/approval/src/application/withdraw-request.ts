import { err, notFound, ok, type ApprovalRequestId, type Principal, type Result, type UnitOfWork } from '#lib/kernel';
import type { TaskAccess } from '#lib/task';
import type { ApprovalRequest } from '../domain/approval-request.js';
import { requestWithdrawn } from '../domain/closed-reasons.js';
import { decideApproval } from '../domain/decide-approval.js';
import type { ApprovalJournal } from './approval-journal.js';
import type { ApprovalRepository, ApprovalSubjects } from './approval.ports.js';

/**
 * Takes a request back, open or granted, by whoever may change its task.
 *
 * Failures: `resource.not_found`, `task.not_yours`, and what {@link decideApproval} says of a request that is closed.
 */
export class WithdrawRequest {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly subjects: ApprovalSubjects,
    private readonly requests: ApprovalRepository,
    private readonly journal: ApprovalJournal,
    private readonly access: TaskAccess,
  ) {}

  execute(principal: Principal, id: ApprovalRequestId): Promise<Result<ApprovalRequest>> {
    return this.uow.run(principal.tenantId, async (tx) => {
      const found = await this.requests.find(tx, id);
      const subject = found === null ? null : await this.subjects.lock(tx, found.subject);
      const request = subject === null ? null : await this.requests.lock(tx, id);
      if (subject === null || request === null) return err(notFound('approval request'));
      const allowed = await this.access.mayChange(tx, principal, subject.task);
      if (!allowed.ok) return allowed;
      const next = decideApproval(request, { name: 'void', reason: requestWithdrawn }, await tx.now());
      if (!next.ok) return next;
      await this.journal.changed(tx, next.value, principal);
      return ok(next.value);
    });
  }
}
