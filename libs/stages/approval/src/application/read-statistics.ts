import type { Principal, UnitOfWork } from '#lib/kernel';
import type { ApprovalStatistic, StatisticsBy, StatisticsPeriod, StatisticsRepository } from './approval.ports.js';

/** Approval fatigue, as it can be read: how long decisions take, how many are given unread, how often people disagree. */
export class ReadStatistics {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly statistics: StatisticsRepository,
  ) {}

  /** Without a period the 30 days up to now. */
  execute(
    principal: Principal,
    by: StatisticsBy,
    asked: { readonly from: number | null; readonly until: number | null },
  ): Promise<{ readonly period: StatisticsPeriod; readonly statistics: readonly ApprovalStatistic[] }> {
    return this.uow.run(principal.tenantId, async (tx) => {
      const until = asked.until ?? (await tx.now());
      const period = { from: asked.from ?? until - THIRTY_DAYS_MS, until };
      return { period, statistics: await this.statistics.read(tx, by, period) };
    });
  }
}

const THIRTY_DAYS_MS = 30 * 86_400_000;
