import type { ProductionChangeReportView, ProductionChangeView } from '#lib/api-schemas';
import { newId } from '#lib/kernel';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { changeCsvHeader, changeCsvRecord } from '../domain/production-change.js';
import { ReportProductionChanges } from './report-production-changes.js';
import type { ChangeCursor, Period, ProductionChangeReader } from './report.ports.js';

/** How many rows a stream reads at a time. */
const AT_ONCE = 200;

const change = (at: number, planId = newId()): ProductionChangeView => ({
  run_id: newId(),
  plan_id: planId,
  task_id: newId(),
  occurred_at: new Date(at).toISOString(),
  started_at: null,
  finished_at: null,
  environment: 'production',
  state: 'completed',
  scope: 'all',
  exceptions: [],
  tools: ['rollout'],
  targets: 1,
  changing_calls: 1,
  requester: { kind: 'agent', id: newId(), name: 'drift-bot' },
  on_behalf_of: null,
  approvers: [],
  approval_request_id: null,
  incident_id: null,
  plan_digest: 'sha256:',
  headline: 'rollout on 1 target',
  goal: 'remediate drift',
});

const TOTALS: ProductionChangeReportView['totals'] = {
  runs: 1,
  ordinary: 1,
  exceptional: 0,
  changing_calls: 1,
  by_state: [],
  by_exception: [],
};

/** A report over these changes, the oldest first. */
function reporting(changes: readonly ProductionChangeView[] = []) {
  const { uow, home } = fakeWorld();
  const asked: { readonly period: Period; readonly after: ChangeCursor | null }[] = [];
  const reader: ProductionChangeReader = {
    totals: () => Promise.resolve(TOTALS),
    list: (_tx, period, { limit, after }) => {
      asked.push({ period, after });
      const begin = changes.findIndex(({ run_id }) => run_id === after?.runId) + 1;
      return Promise.resolve(changes.slice(begin, begin + limit));
    },
  };
  return { report: new ReportProductionChanges(uow, reader), tenantId: home.tenantId, now: uow.now, asked };
}

const all = async <Each>(each: AsyncIterable<Each>): Promise<Each[]> => {
  const found: Each[] = [];
  for await (const one of each) found.push(one);
  return found;
};
const many = (count: number): readonly ProductionChangeView[] =>
  Array.from({ length: count }, (_, index) => change(1_000 + index));
const PERIOD: Period = { from: 0, until: 10_000 };
const PAGE = { limit: 10, after: null };

describe('a page of the report on production changes', () => {
  it('is of a period that ends no later than now', async () => {
    const { report, tenantId, now, asked } = reporting();
    const period = { from: 0, until: now };
    expect(await report.page(tenantId, { from: 0, until: now + 1 }, PAGE)).toEqual({
      ok: true,
      value: { period, totals: TOTALS, changes: [] },
    });
    expect(await report.page(tenantId, PERIOD, PAGE)).toMatchObject({ ok: true, value: { period: PERIOD } });
    expect(asked.map((one) => one.period)).toEqual([period, PERIOD]);
  });

  it('is refused if the period is empty, as one to come is', async () => {
    const { report, tenantId, now, asked } = reporting();
    for (const period of [
      { from: 5, until: 5 },
      { from: now, until: now + 5 },
    ])
      expect(await report.page(tenantId, period, PAGE)).toMatchObject({
        ok: false,
        error: { code: 'report.period_empty' },
      });
    expect(asked).toEqual([]);
  });
});

describe('the streams of the report', () => {
  it('have each change once as CSV, in pages that each begin after the one before', async () => {
    const changes = many(AT_ONCE + 1);
    const { report, tenantId, asked } = reporting(changes);
    const parts = await all(report.csv(tenantId, PERIOD));
    expect(parts.join('')).toBe(changeCsvHeader() + changes.map(changeCsvRecord).join(''));
    const last = changes[AT_ONCE - 1];
    expect(asked.map(({ after }) => after)).toEqual([null, { occurredAt: 1_000 + AT_ONCE - 1, runId: last?.run_id }]);
  });

  it('read no page after one that is not full, and have no part without a change', async () => {
    const { report, tenantId, asked } = reporting(many(AT_ONCE - 1));
    expect(await all(report.csv(tenantId, PERIOD))).toHaveLength(2);
    expect(asked).toHaveLength(1);
    const full = reporting(many(AT_ONCE));
    expect(await all(full.report.csv(full.tenantId, PERIOD))).toHaveLength(2);
    expect(full.asked).toHaveLength(2);
  });

  it('name each plan once, in the order of its first run', async () => {
    const [one, two] = [newId(), newId()];
    const { report, tenantId } = reporting([change(1, two), change(2, one), change(3, two)]);
    expect(await all(report.plans(tenantId, PERIOD))).toEqual([two, one]);
  });
});
