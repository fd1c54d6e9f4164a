import {
  err,
  newId,
  ok,
  type Failure,
  type ImpactReportId,
  type JobQueue,
  type PersonId,
  type PersonPrincipal,
  type Result,
  type UnitOfWork,
} from '#lib/kernel';
import { NO_PROGRESS, type ImpactReport } from '../domain/impact-report.js';
import { withConfiguration, type ProposedConfiguration } from '../domain/proposed-world.js';
import { compareWorlds } from '../domain/world.js';
import type { ImpactReportRepository, SettingsStamps, WorldReader } from './impact.ports.js';

const DAY_MS = 86_400_000;
/** How many reports of configurations a tenant has at work at a time. */
const MAX_UNFINISHED = 3;
/** A report of a configuration is kept so long. A report of a change request stays with it. */
const KEPT_DAYS = 7;
/** The period of a report that names none, in days. */
export const DEFAULT_DAYS = 30;

/**
 * Asks for the impact of a configuration that is not in force. The caller has checked its documents.
 *
 * Failures: `impact.unreadable` if a document is not valid, `impact.too_many` if the tenant has enough reports at work.
 */
export class AskImpact {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly reports: ImpactReportRepository,
    private readonly worlds: WorldReader,
    private readonly stamps: SettingsStamps,
    private readonly jobs: JobQueue,
  ) {}

  execute(by: PersonPrincipal, wanted: ProposedConfiguration, days: number): Promise<Result<ImpactReport>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const now = await tx.now();
      await this.reports.drop(tx, now - KEPT_DAYS * DAY_MS);
      if ((await this.reports.unfinished(tx)) >= MAX_UNFINISHED) return err(tooMany);
      // Settings are named before they are read: if they move in between, the report is outdated.
      const stamp = await this.stamps.present(tx);
      const present = await this.worlds.present(tx);
      const after = withConfiguration(present, wanted);
      if (after === null) return err(unreadable);
      const report = newReport(by.personId, now, days, { stamp, change: compareWorlds(present.world, after) });
      await this.reports.insert(tx, report);
      await this.jobs.enqueue(tx, 'impact.advance', report.id);
      return ok(report);
    });
  }
}

/** A report that waits for a worker. */
export const newReport = (
  askedBy: PersonId,
  now: number,
  days: number,
  about: Partial<Pick<ImpactReport, 'change' | 'changeId' | 'stamp'>>,
): ImpactReport => ({
  id: newId<ImpactReportId>(),
  changeId: null,
  change: null,
  stamp: null,
  ...about,
  askedBy,
  phase: 'waiting',
  since: now - days * DAY_MS,
  until: now,
  bundleRevision: null,
  renewals: 0,
  attempts: 0,
  followed: true,
  failure: null,
  progress: NO_PROGRESS,
  createdAt: now,
  finishedAt: null,
});

const tooMany: Failure = {
  kind: 'rate_limited',
  code: 'impact.too_many',
  message: `${String(MAX_UNFINISHED)} impact reports of this tenant are at work.`,
  action: 'Wait until one of them is done, and ask again.',
};

const unreadable: Failure = {
  kind: 'unprocessable',
  code: 'impact.unreadable',
  message: 'A document of the configuration is not valid.',
  action: 'Check the configuration, which names each error, and correct it.',
};
