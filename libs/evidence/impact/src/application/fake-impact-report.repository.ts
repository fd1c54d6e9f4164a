import type { ChangeRequestId, ImpactReportId, Tx } from '#lib/kernel';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { ImpactReport } from '../domain/impact-report.js';
import type { ImpactReportRepository } from './impact.ports.js';

/** Keeps reports in memory. Its transactions run one after another, so that no other worker ever holds one. */
export class FakeImpactReportRepository implements ImpactReportRepository {
  readonly #rows: FakeTable<ImpactReport>;

  constructor(database: FakeUnitOfWork) {
    this.#rows = new FakeTable(database);
  }

  insert(tx: Tx, report: ImpactReport): Promise<void> {
    this.#rows.of(tx).set(report.id, report);
    return Promise.resolve();
  }

  async take(tx: Tx, id: ImpactReportId): Promise<ImpactReport | null> {
    const report = await this.find(tx, id);
    return report?.finishedAt === null ? report : null;
  }

  save(tx: Tx, report: ImpactReport): Promise<void> {
    return this.insert(tx, report);
  }

  find(tx: Tx, id: ImpactReportId): Promise<ImpactReport | null> {
    return Promise.resolve(this.#rows.of(tx).get(id) ?? null);
  }

  ofChange(tx: Tx, changeId: ChangeRequestId): Promise<ImpactReport | null> {
    return Promise.resolve(this.#all(tx).find((report) => report.changeId === changeId) ?? null);
  }

  unfinished(tx: Tx): Promise<number> {
    const found = this.#all(tx).filter(({ finishedAt, changeId }) => finishedAt === null && changeId === null);
    return Promise.resolve(found.length);
  }

  async cancelOfChange(tx: Tx, changeId: ChangeRequestId, at: number): Promise<void> {
    const report = await this.ofChange(tx, changeId);
    if (report?.finishedAt === null) await this.insert(tx, { ...report, phase: 'cancelled', finishedAt: at });
  }

  drop(tx: Tx, before: number): Promise<void> {
    for (const { id, changeId, createdAt } of this.#all(tx))
      if (changeId === null && createdAt < before) this.#rows.of(tx).delete(id);
    return Promise.resolve();
  }

  #all(tx: Tx): readonly ImpactReport[] {
    return [...this.#rows.of(tx).values()];
  }
}
