import type { Principal, UnitOfWork } from '#lib/kernel';
import type { StatisticsRepository } from './approval.ports.js';

/** What approvals are grouped by: the tools that would run, or the agent that asked. */
export type StatisticsBy = 'tool' | 'agent';

/** Epoch milliseconds; requests that opened within. */
export interface StatisticsPeriod {
  readonly from: number;
  readonly until: number;
}

/** How people decide on one tool, or on one agent. A request counts for each tool it would run. */
export interface ApprovalFigures {
  /** The tool's name, or the agent's id. */
  readonly key: string;
  readonly name: string;
  readonly requests: number;
  /** Those that people brought to an end: granted, rejected, or sent back. */
  readonly decided: number;
  /** Of those, rejected or sent back: where people overrode what the agent wanted. */
  readonly overridden: number;
  /** Seconds from opening to the decision; null where nothing was decided. */
  readonly medianSeconds: number | null;
  readonly slowestTenthSeconds: number | null;
  /** Approvals that were given. */
  readonly approvals: number;
  /** Of those, by somebody to whom a screen had shown the request: only for them is known how fast they were. */
  readonly approvalsAfterLook: number;
  /** Of those, within five seconds of the first look. */
  readonly underFiveSeconds: number;
}

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
  ): Promise<{ readonly period: StatisticsPeriod; readonly figures: readonly ApprovalFigures[] }> {
    return this.uow.run(principal.tenantId, async (tx) => {
      const until = asked.until ?? (await tx.now());
      const period = { from: asked.from ?? until - THIRTY_DAYS_MS, until };
      return { period, figures: await this.statistics.figures(tx, by, period) };
    });
  }
}

const THIRTY_DAYS_MS = 30 * 86_400_000;
