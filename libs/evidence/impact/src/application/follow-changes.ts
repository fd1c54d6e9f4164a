import type { ChangeRequestId, JobQueue, PersonId, Tx } from '#lib/kernel';
import { IMPACT_KINDS } from '../domain/proposed-world.js';
import { DEFAULT_DAYS, newReport } from './ask-impact.js';
import type { ImpactReportRepository } from './impact.ports.js';

/** Asks for the impact of each change that begins to wait, in the transaction that opens it. Ends it with the change. */
export class FollowChanges {
  constructor(
    private readonly reports: ImpactReportRepository,
    private readonly jobs: JobQueue,
  ) {}

  async opened(
    tx: Tx,
    change: { readonly id: ChangeRequestId; readonly kind: string; readonly requestedBy: PersonId },
  ): Promise<void> {
    if (!IMPACT_KINDS.includes(change.kind)) return;
    const report = newReport(change.requestedBy, await tx.now(), DEFAULT_DAYS, { changeId: change.id });
    await this.reports.insert(tx, report);
    await this.jobs.enqueue(tx, 'impact.advance', report.id);
  }

  /** A change that came into force moves the settings that the reports of the others are about. */
  async closed(
    tx: Tx,
    { id, kind, state }: { readonly id: ChangeRequestId; readonly kind: string; readonly state: string },
  ): Promise<void> {
    if (!IMPACT_KINDS.includes(kind)) return;
    const now = await tx.now();
    await this.reports.closeOfChange(tx, id, now);
    if (state !== 'applied') return;
    for (const other of await this.reports.lookAgain(tx, id, now)) await this.jobs.enqueue(tx, 'impact.advance', other);
  }
}
