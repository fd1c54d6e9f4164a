import {
  err,
  notFound,
  ok,
  type ChangeRequestId,
  type ImpactReportId,
  type Principal,
  type Result,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { agentsIn, type ImpactGroups } from '../domain/groups.js';
import { hasMoved, isRenewable, type ImpactReport } from '../domain/impact-report.js';
import type { LatticeCell } from '../domain/lattice.js';
import { summaryOf } from '../domain/summary.js';
import type { CellPage, ImpactFindings } from './impact-findings.js';
import type { AgentNames, ImpactReportRepository, SettingsStamps } from './impact.ports.js';

/** A report for its readers. */
export interface NamedReport {
  readonly report: ImpactReport;
  /** The names of the agents in it. */
  readonly agents: ReadonlyMap<string, string>;
  readonly groups: ImpactGroups;
  /** The first of its cells. */
  readonly cells: readonly LatticeCell[];
  /** Whether settings or policies have moved since it was worked out. */
  readonly outdated: boolean;
}

/** The report of a change, for a message about it. */
export interface ImpactLine {
  /** Null if there is nothing to say: none, or none that holds. */
  readonly line: string | null;
  /** Whether the report is not complete yet. */
  readonly pending: boolean;
}

/** The cells that come with a report. {@link ReadImpact.cells} has all of them, page by page. */
const FIRST_CELLS = 100;

/** Reads reports, also while they are at work. */
export class ReadImpact {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly reports: ImpactReportRepository,
    private readonly findings: Pick<ImpactFindings, 'groups' | 'cells'>,
    private readonly agents: AgentNames,
    private readonly stamps: SettingsStamps,
    private readonly policy: { readonly bundleRevision: string },
  ) {}

  /** Fails with `resource.not_found`. */
  one(by: Principal, id: ImpactReportId): Promise<Result<NamedReport>> {
    return this.#read(by, async (tx) => this.#named(tx, await this.reports.find(tx, id)));
  }

  /** The report of a change request. Fails with `resource.not_found`, also for a kind of change that policies are not told of. */
  ofChange(by: Principal, changeId: ChangeRequestId): Promise<Result<NamedReport>> {
    return this.#read(by, async (tx) => this.#named(tx, await this.reports.ofChange(tx, changeId)));
  }

  /** A page of the cells of a report. Fails with `resource.not_found`. */
  cells(by: Principal, id: ImpactReportId, page: CellPage): Promise<Result<readonly LatticeCell[]>> {
    return this.uow.run(by.tenantId, async (tx) =>
      (await this.reports.find(tx, id)) === null
        ? err(notFound('impact report'))
        : ok(await this.findings.cells(tx, id, page)),
    );
  }

  /** The report of a change in one line. A result that does not hold any more is not told. */
  async lineOf(tx: Tx, changeId: ChangeRequestId): Promise<ImpactLine> {
    const report = await this.reports.ofChange(tx, changeId);
    if (report === null) return { line: null, pending: false };
    switch (report.phase) {
      case 'waiting':
      case 'working':
      case 'outdated':
        return { line: null, pending: true };
      case 'cancelled':
        return { line: null, pending: false };
      case 'failed':
        return { line: 'Its impact on past decisions could not be worked out.', pending: false };
      case 'done': {
        const moved = await this.#isOutdated(tx, report);
        return moved
          ? { line: null, pending: isRenewable(report) }
          : { line: `Impact: ${summaryOf(report)}`, pending: false };
      }
    }
  }

  /** A batch may end meanwhile: its counts in the report and its findings are read together, or not at all. */
  #read<T>(by: Principal, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.uow.run(by.tenantId, work, 'snapshot');
  }

  async #named(tx: Tx, report: ImpactReport | null): Promise<Result<NamedReport>> {
    if (report === null) return err(notFound('impact report'));
    const groups = await this.findings.groups(tx, report.id);
    return ok({
      report,
      agents: await this.agents.names(tx, agentsIn(groups)),
      groups,
      cells: await this.findings.cells(tx, report.id, { limit: FIRST_CELLS, after: null }),
      outdated: await this.#isOutdated(tx, report),
    });
  }

  async #isOutdated(tx: Tx, report: ImpactReport): Promise<boolean> {
    if (report.phase === 'outdated') return true;
    if (report.phase !== 'done' || !report.followed) return false;
    return hasMoved(report, {
      stamp: await this.stamps.present(tx),
      bundleRevision: this.policy.bundleRevision,
    });
  }
}
