import type { ProductionChangeReportView, ProductionChangeView } from '#lib/api-schemas';
import {
  err,
  ok,
  type PlanId,
  type Result,
  type RunId,
  type TenantId,
  type UnitOfWork,
  toTimestamp,
} from '#lib/kernel';
import { changeCsvHeader, changeCsvRecord } from '../domain/production-change.js';
import type { ChangeCursor, Period, ProductionChangeReader } from './report.ports.js';

/** How many rows a stream reads at a time. */
const AT_ONCE = 200;

const cursorOf = (change: ProductionChangeView): ChangeCursor => ({
  occurredAt: Date.parse(change.occurred_at),
  // The view was made of a run.
  runId: change.run_id as RunId,
});

/** One page, with one row more than asked for if there is a next. */
export interface ChangePage {
  readonly period: Period;
  readonly totals: ProductionChangeReportView['totals'];
  readonly changes: readonly ProductionChangeView[];
}

/**
 * The whole population of production changes of a period, its exceptions, and counts over the same rows.
 *
 * Fails with `report.period_empty` if the period ends before it begins.
 */
export class ReportProductionChanges {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly reader: ProductionChangeReader,
  ) {}

  async page(
    tenantId: TenantId,
    asked: Period,
    page: { readonly limit: number; readonly after: ChangeCursor | null },
  ): Promise<Result<ChangePage>> {
    return this.uow.run(tenantId, async (tx) => {
      const period = { from: asked.from, until: Math.min(asked.until, await tx.now()) };
      if (period.until <= period.from) return err(periodEmpty(period));
      const totals = await this.reader.totals(tx, period);
      return ok({ period, totals, changes: await this.reader.list(tx, period, page) });
    });
  }

  /** Every row as CSV, read in pages: however long the period, little is held at once. */
  async *csv(tenantId: TenantId, period: Period): AsyncGenerator<string> {
    yield changeCsvHeader();
    for await (const changes of this.#pages(tenantId, period)) yield changes.map(changeCsvRecord).join('');
  }

  /** The plans that were executed, each once, in the order of their first run. */
  async *plans(tenantId: TenantId, period: Period): AsyncGenerator<PlanId> {
    const told = new Set<string>();
    for await (const changes of this.#pages(tenantId, period))
      for (const { plan_id: planId } of changes) {
        if (told.has(planId)) continue;
        told.add(planId);
        // The view was made of a plan.
        yield planId as PlanId;
      }
  }

  async *#pages(tenantId: TenantId, period: Period): AsyncGenerator<readonly ProductionChangeView[]> {
    let after: ChangeCursor | null = null;
    do {
      const page: { limit: number; after: ChangeCursor | null } = { limit: AT_ONCE, after };
      const changes = await this.uow.run(tenantId, (tx) => this.reader.list(tx, period, page));
      if (changes.length > 0) yield changes;
      const last = changes.length < AT_ONCE ? undefined : changes.at(-1);
      after = last === undefined ? null : cursorOf(last);
    } while (after !== null);
  }
}

const periodEmpty = ({ from }: Period) =>
  ({
    kind: 'unprocessable',
    code: 'report.period_empty',
    message: `Nothing can lie in a period that begins at ${toTimestamp(from)} and ends no later.`,
    action: 'Give a "from" in the past and an "until" after it.',
    errors: [{ pointer: '/until', code: 'report.period_empty', message: 'must be after "from"' }],
  }) as const;
