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
import type { ImpactReport } from '../domain/impact-report.js';
import type { AgentNames, ImpactReportRepository } from './impact.ports.js';

/** A report with the names of the agents in it. */
export interface NamedReport {
  readonly report: ImpactReport;
  readonly agents: ReadonlyMap<string, string>;
}

/** Reads reports, also while they are at work. */
export class ReadImpact {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly reports: ImpactReportRepository,
    private readonly agents: AgentNames,
  ) {}

  /** Fails with `resource.not_found`. */
  one(by: Principal, id: ImpactReportId): Promise<Result<NamedReport>> {
    return this.uow.run(by.tenantId, async (tx) => this.#named(tx, await this.reports.find(tx, id)));
  }

  /** The report of a change request. Fails with `resource.not_found`, also for a kind of change that policies are not told of. */
  ofChange(by: Principal, changeId: ChangeRequestId): Promise<Result<NamedReport>> {
    return this.uow.run(by.tenantId, async (tx) => this.#named(tx, await this.reports.ofChange(tx, changeId)));
  }

  async #named(tx: Tx, report: ImpactReport | null): Promise<Result<NamedReport>> {
    if (report === null) return err(notFound('impact report'));
    const ids = report.progress.tally.groups.flatMap(({ agent }) => agent ?? []);
    return ok({ report, agents: await this.agents.names(tx, [...new Set(ids)]) });
  }
}
