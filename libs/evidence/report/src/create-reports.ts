import type { Seats } from '#lib/identity';
import type { UnitOfWork } from '#lib/kernel';
import { SqlFindings } from './adapters/sql-findings.js';
import { SqlOverview } from './adapters/sql-overview.js';
import { SqlProductionChanges } from './adapters/sql-production-changes.js';
import { SqlSetUp } from './adapters/sql-set-up.js';
import { FindAnything } from './application/find-anything.js';
import { ReadOverview } from './application/read-overview.js';
import { ReadSetUp } from './application/read-set-up.js';
import { ReportProductionChanges } from './application/report-production-changes.js';
import type { FindingReader, OverviewReader, ProductionChangeReader, SetUpReader } from './application/report.ports.js';

/** The readers of rows that reports are made of. */
export interface ReportRows {
  readonly changes: ProductionChangeReader;
  readonly overview: OverviewReader;
  readonly setUp: SetUpReader;
  readonly findings: FindingReader;
}

/** The ports of this library that read rows, over PostgreSQL. */
export const createReportStore = (seats: Seats): ReportRows => ({
  changes: new SqlProductionChanges(),
  overview: new SqlOverview(),
  setUp: new SqlSetUp(seats),
  findings: new SqlFindings(),
});

export const createReports = ({ uow, rows }: { readonly uow: UnitOfWork; readonly rows: ReportRows }) => ({
  reportProductionChanges: new ReportProductionChanges(uow, rows.changes),
  readOverview: new ReadOverview(uow, rows.overview),
  readSetUp: new ReadSetUp(uow, rows.setUp),
  findAnything: new FindAnything(uow, rows.findings),
});
