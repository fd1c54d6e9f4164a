import type { SystemQuery } from '#lib/database';
import type { ApprovalRequestId } from '#lib/kernel';
import type { DueApprovals, DueRow } from '../application/approval.ports.js';

/** Due requests by the SECURITY DEFINER functions of `migrations/0053_approval.sql` and `0105_approval_ergonomics.sql`. */
export class TypeormDueApprovals implements DueApprovals {
  constructor(private readonly system: SystemQuery) {}

  expired(limit: number): Promise<readonly DueRow[]> {
    return this.rows('approval_expired', limit);
  }

  startable(limit: number): Promise<readonly DueRow[]> {
    return this.rows('approval_startable', limit);
  }

  remindable(limit: number): Promise<readonly DueRow[]> {
    return this.rows('approval_reminder_due', limit);
  }

  private async rows(functionName: string, limit: number): Promise<readonly DueRow[]> {
    const rows = await this.system.call(functionName, limit);
    return rows.map(({ tenantId, id }) => ({ tenantId, id: id as ApprovalRequestId }));
  }
}
