import type { ImpactReportView } from '#lib/api-schemas';

/** A worker adds a batch in less. */
const AT_WORK_MS = 700;

/** In how many milliseconds a report is read again; false once it is finished. */
export const lookAgain = (report: ImpactReportView | undefined): number | false =>
  report !== undefined && (report.phase === 'waiting' || report.phase === 'working') ? AT_WORK_MS : false;
