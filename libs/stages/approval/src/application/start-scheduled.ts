import {
  unlessNotAuthentic,
  type ApprovalRequestId,
  type SystemPrincipal,
  type TenantId,
  type UnitOfWork,
} from '#lib/kernel';
import { isDue, type ApprovedRequest } from '../domain/approval-request.js';
import { heldUntil } from '../domain/held-by-freeze.js';
import type { RequestApprovedListener, ApprovalRepository, People, PlanSubjects } from './approval.ports.js';

/** The wait before a start is tried again that was refused for a passing reason, such as a halt. */
const TRY_AGAIN_MS = 60_000;

/** Starts requests approved for a time that has come. Starts those that a freeze has held back once it is over. */
export class StartScheduled {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly subjects: Pick<PlanSubjects, 'holdRequest'>,
    private readonly requests: Pick<ApprovalRepository, 'holdBack'>,
    private readonly people: Pick<People, 'standing'>,
    private readonly approved: RequestApprovedListener,
  ) {}

  /** @returns whether the request was handed over to be started. */
  execute(tenantId: TenantId, id: ApprovalRequestId): Promise<boolean> {
    const principal: SystemPrincipal = { kind: 'system', tenantId, name: 'approval-schedule' };
    const work = this.uow.run(tenantId, async (tx) => {
      const held = await this.subjects.holdRequest(tx, id);
      if (held === null) return false;
      const { request, subject, now } = held;
      if (request.state !== 'approved' || isDue(request, now)) return false;
      if (!comesBySelf(request, now)) return false;
      const reviews = await held.reviews();
      const people = await this.people.standing(tx, held.reviewedBy);
      const refused = await this.approved.requestApproved(tx, {
        request,
        reviews,
        subject,
        people,
        principal,
        at: now,
      });
      if (refused === null) return true;
      await this.requests.holdBack(tx, id, heldUntil(refused) ?? now + TRY_AGAIN_MS);
      return false;
    });
    return unlessNotAuthentic(work, () => false);
  }
}

function comesBySelf({ start, startAfter }: ApprovedRequest, now: number): boolean {
  if (start.kind === 'at') return Math.max(start.at, startAfter ?? 0) <= now;
  return start.kind === 'on_approval' && startAfter !== null && startAfter <= now;
}
