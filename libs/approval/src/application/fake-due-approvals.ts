import type { FakeUnitOfWork } from '../../../kernel/src/fake-unit-of-work.js';
import type { ApprovalRequestId, TenantId } from '#lib/kernel';
import { deadlineOf, type ApprovalRequest } from '../domain/approval-request.js';
import type { DueApprovals, DueRow } from './approval.ports.js';
import type { FakeApprovalRepository } from './fake-approval-repository.js';
import type { FakeReminderRepository } from './fake-reminder-repository.js';

interface Due {
  readonly id: ApprovalRequestId;
  readonly at: number;
}

/** Finds what is due by the clock of the unit of work. */
export class FakeDueApprovals implements DueApprovals {
  constructor(
    private readonly uow: FakeUnitOfWork,
    private readonly tenants: readonly TenantId[],
    private readonly requests: FakeApprovalRepository,
    private readonly reminders: FakeReminderRepository,
  ) {}

  expired(limit: number): Promise<readonly DueRow[]> {
    return this.#oldest(limit, (tenantId) => this.#of(tenantId, (request) => deadlineOf(request)));
  }

  startable(limit: number): Promise<readonly DueRow[]> {
    return this.#oldest(limit, (tenantId) =>
      this.#of(tenantId, (request) => {
        if (request.state !== 'granted' || request.grantExpiresAt <= this.uow.now) return null;
        const { start, startAfter } = request;
        if (start.kind === 'manual') return null;
        return startAfter ?? (start.kind === 'at' ? start.at : null);
      }),
    );
  }

  remindable(limit: number): Promise<readonly DueRow[]> {
    return this.#oldest(limit, (tenantId) => this.reminders.due({ tenantId }, this.uow.now));
  }

  #of(tenantId: TenantId, atOf: (request: ApprovalRequest) => number | null): Due[] {
    return this.requests.all({ tenantId }).flatMap((request) => {
      const at = atOf(request);
      return at === null || at > this.uow.now ? [] : [{ id: request.id, at }];
    });
  }

  /** Each request once, by the earliest of its moments. */
  #oldest(limit: number, dueIn: (tenantId: TenantId) => readonly Due[]): Promise<readonly DueRow[]> {
    const due = this.tenants
      .flatMap((tenantId) => dueIn(tenantId).map((one) => ({ ...one, tenantId })))
      .sort((one, other) => one.at - other.at);
    const first = due.filter(({ id }, place) => due.findIndex((other) => other.id === id) === place);
    return Promise.resolve(first.slice(0, limit).map(({ tenantId, id }) => ({ tenantId, id })));
  }
}
