import type { SystemPrincipal, UnitOfWork } from '#lib/kernel';
import { isDue } from '../domain/approval-request.js';
import type {
  ApprovalGrantedListener,
  ApprovalRepository,
  ApprovalSubjects,
  DueApprovals,
  DueRow,
} from './approval.ports.js';

/** Starts what was granted for a time that has come. */
export class StartScheduled {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly due: DueApprovals,
    private readonly subjects: ApprovalSubjects,
    private readonly requests: ApprovalRepository,
    private readonly granted: ApprovalGrantedListener,
  ) {}

  /** @returns how many were handed over, of at most `limit` looked at. */
  async execute(limit: number): Promise<number> {
    let started = 0;
    for (const row of await this.due.startable(limit)) {
      if (await this.start(row)) started += 1;
    }
    return started;
  }

  private start({ tenantId, id }: DueRow): Promise<boolean> {
    const principal: SystemPrincipal = { kind: 'system', tenantId, name: 'approval-schedule' };
    return this.uow.run(tenantId, async (tx) => {
      const found = await this.requests.find(tx, id);
      if (found === null || (await this.subjects.lock(tx, found.planId)) === null) return false;
      const request = await this.requests.lock(tx, id);
      const now = await tx.now();
      if (request?.state !== 'granted' || isDue(request, now)) return false;
      if (request.start.kind !== 'at' || request.start.at > now) return false;
      await this.granted.approvalGranted(tx, { request, principal, at: now });
      return true;
    });
  }
}
