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

export function createReports({ uow, seats }: { readonly uow: UnitOfWork; readonly seats: Seats }) {
  return {
    reportProductionChanges: new ReportProductionChanges(uow, new SqlProductionChanges()),
    readOverview: new ReadOverview(uow, new SqlOverview()),
    readSetUp: new ReadSetUp(uow, new SqlSetUp(seats)),
    findAnything: new FindAnything(uow, new SqlFindings()),
  };
}
