import type { ImpactReportView } from '#lib/api-schemas';
import { thousands } from '#lib/words';

/**
 * Tells how far a report is at its beginning and at each further tenth. So the log of a pipeline stays short.
 *
 * @param note takes a line of progress.
 * @returns takes the progress of the report, and how often it was begun anew.
 */
export function progressReporter(
  note: (text: string) => void,
): (progress: ImpactReportView['progress'], renewals: number) => void {
  let told = '';
  return ({ looked, to_look_at: all }, renewals) => {
    const here = `${String(renewals)} ${String(Math.floor((10 * looked) / Math.max(1, all)))}`;
    if (here === told) return;
    told = here;
    const again = renewals === 0 ? '' : ', again, since settings have moved';
    note(`${thousands(looked)} of ${thousands(all)} decisions${again}`);
  };
}
