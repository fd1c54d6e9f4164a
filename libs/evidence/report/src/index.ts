/**
 * Reports for reviewers and operators: the production changes of a period with their exceptions, and the metrics of the overview. Also
 * the search, which finds anything by a name or a part of an id.
 *
 * Invariants: every count of a report is a count of rows that the report lists; a run in production is in the
 * population from the transaction that made it; a long period holds no more memory than a short one.
 *
 * Only reads. It imports no stage: it reads their tables through views of the database, and decides nothing.
 */
export { FindAnything } from './application/find-anything.js';
export { ReadOverview } from './application/read-overview.js';
export { ReadSetUp, type ShortagesOfAgent } from './application/read-set-up.js';
export type { ChangeCursor, Period } from './application/report.ports.js';
export { ReportProductionChanges } from './application/report-production-changes.js';
export { createReports, createReportStore } from './create-reports.js';
