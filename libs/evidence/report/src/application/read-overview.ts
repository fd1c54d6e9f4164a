import type { OverviewView } from '#lib/api-schemas';
import type { TenantId, UnitOfWork } from '#lib/kernel';
import { lastDays, startOfDays } from '../domain/days.js';
import type { OverviewReader } from './report.ports.js';

/** Waiting work, live runs, the duration of approvals, and decisions, all of one moment. */
export class ReadOverview {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly reader: OverviewReader,
  ) {}

  /** @param days how many days back the curves go, today among them. */
  async execute(tenantId: TenantId, days: number): Promise<OverviewView> {
    return this.uow.run(tenantId, async (tx) => {
      const now = await tx.now();
      const since = startOfDays(days, now);
      const standing = await this.reader.standing(tx);
      const times = new Map((await this.reader.approvalTimes(tx, since)).map((each) => [each.day, each]));
      const decisions = new Map((await this.reader.decisions(tx, since)).map((each) => [each.day, each]));
      const away = await this.reader.monthsAway(tx, { from: since, until: now });
      const all = lastDays(days, now);
      return {
        ...standing,
        approval_times: all.map((day) => times.get(day) ?? { day, approved: 0, p50_seconds: null, p90_seconds: null }),
        decisions: all.map((day) => decisions.get(day) ?? { day, allow: 0, require_approval: 0, deny: 0 }),
        months_away: [...away],
      };
    });
  }
}
