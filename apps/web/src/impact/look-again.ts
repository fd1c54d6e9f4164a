import type { ImpactReportView } from '#lib/api-schemas';

/** A worker adds a batch in less. */
const AT_WORK_MS = 700;

const ENDED: ReadonlySet<ImpactReportView['phase']> = new Set(['done', 'cancelled', 'failed']);

/** In how many milliseconds a report is read again; false once it is finished. */
export const lookAgain = (report: ImpactReportView | undefined): number | false =>
  report === undefined || ENDED.has(report.phase) ? false : AT_WORK_MS;
