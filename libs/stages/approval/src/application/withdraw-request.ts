import {
  err,
  notFound,
  ok,
  type ApprovalRequestId,
  type Failure,
  type Principal,
  type Result,
  type UnitOfWork,
} from '#lib/kernel';
import type { TaskAccess } from '#lib/task';
import { requestWithdrawn } from '../domain/closed-reasons.js';
import { decideApproval } from '../domain/decide-approval.js';
import type { ApprovalJournal } from './approval-journal.js';
import type { ApprovalSubjects, People, RequestAsLeft } from './approval.ports.js';
import { requestAsLeft } from './request-as-left.js';

/**
 * Takes a request back, open or approved. The principal may change its task, or asked for its call.
 *
 * Failures: `resource.not_found`, `task.not_yours`, `tool_call.not_yours`, and the failures of {@link decideApproval} for a request that is closed.
 */
export class WithdrawRequest {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly subjects: ApprovalSubjects,
    private readonly journal: ApprovalJournal,
    private readonly access: TaskAccess,
    private readonly people: Pick<People, 'standing'>,
  ) {}

  execute(principal: Principal, id: ApprovalRequestId): Promise<Result<RequestAsLeft>> {
    return this.uow.run(principal.tenantId, async (tx) => {
      const held = await this.subjects.holdRequest(tx, id);
      if (held === null) return err(notFound('approval request'));
      const { request, subject, now } = held;
      const submitted = subject.type === 'plan' ? subject.task : subject.call;
      const allowed = await this.access.mayChange(tx, principal, submitted);
      if (!allowed.ok) return subject.type === 'plan' ? allowed : err(notYourCall);
      const next = decideApproval(request, { name: 'void', reason: requestWithdrawn }, now);
      if (!next.ok) return next;
      await this.journal.changed(tx, next.value, principal);
      return ok(await requestAsLeft(tx, this.people, next.value, held));
    });
  }
}

const notYourCall: Failure = {
  kind: 'forbidden',
  code: 'tool_call.not_yours',
  message: 'Somebody else asked for this call.',
  action: 'Ask its agent, the person that the agent acts for, the accountable owner of the agent, or a PlatformAdmin.',
};
