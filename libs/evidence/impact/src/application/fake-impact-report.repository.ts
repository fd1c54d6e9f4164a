import type { ChangeRequestId, ImpactReportId, Tx } from '#lib/kernel';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { isUnfinished, type ImpactReport } from '../domain/impact-report.js';
import type { ImpactReportRepository, Lease, NextTurn } from './impact.ports.js';

interface Row {
  readonly report: ImpactReport;
  readonly nextAt: number | null;
  readonly token: string | null;
}

/** Keeps reports in memory. */
export class FakeImpactReportRepository implements ImpactReportRepository {
  readonly #rows: FakeTable<Row>;

  constructor(database: FakeUnitOfWork) {
    this.#rows = new FakeTable(database);
  }

  insert(tx: Tx, report: ImpactReport): Promise<void> {
    this.#rows.of(tx).set(report.id, { report, nextAt: report.createdAt, token: null });
    return Promise.resolve();
  }

  async lease(tx: Tx, id: ImpactReportId, { token, until }: Lease): Promise<ImpactReport | null> {
    const row = this.#rows.of(tx).get(id);
    if (row?.nextAt == null || row.nextAt > (await tx.now())) return null;
    const report = { ...row.report, attempts: row.report.attempts + 1 };
    this.#rows.of(tx).set(id, { report, nextAt: until, token });
    return report;
  }

  held(tx: Tx, id: ImpactReportId, token: string): Promise<ImpactReport | null> {
    const row = this.#rows.of(tx).get(id);
    return Promise.resolve(row?.token === token ? row.report : null);
  }

  save(tx: Tx, report: ImpactReport, token: string, next: NextTurn): Promise<boolean> {
    if (this.#rows.of(tx).get(report.id)?.token !== token) return Promise.resolve(false);
    const kept = next !== null && 'lease' in next;
    const nextAt = next === null ? null : kept ? next.lease.until : next.at;
    this.#rows.of(tx).set(report.id, { report, nextAt, token: kept ? token : null });
    return Promise.resolve(true);
  }

  find(tx: Tx, id: ImpactReportId): Promise<ImpactReport | null> {
    return Promise.resolve(this.#rows.of(tx).get(id)?.report ?? null);
  }

  ofChange(tx: Tx, changeId: ChangeRequestId): Promise<ImpactReport | null> {
    return Promise.resolve(this.#all(tx).find(({ report }) => report.changeId === changeId)?.report ?? null);
  }

  unfinished(tx: Tx): Promise<number> {
    const found = this.#all(tx).filter(({ report }) => isUnfinished(report) && report.changeId === null);
    return Promise.resolve(found.length);
  }

  async closeOfChange(tx: Tx, changeId: ChangeRequestId, at: number): Promise<void> {
    const report = await this.ofChange(tx, changeId);
    if (report === null) return;
    const ended = isUnfinished(report) ? ({ phase: 'cancelled', finishedAt: at } as const) : {};
    const closed = { ...report, ...ended, followed: false };
    this.#rows.of(tx).set(report.id, { report: closed, nextAt: null, token: null });
  }

  lookAgain(tx: Tx, besides: ChangeRequestId, at: number): Promise<readonly ImpactReportId[]> {
    const found = this.#all(tx).filter(
      ({ report, nextAt, token }) =>
        report.phase === 'done' && nextAt !== null && token === null && report.changeId !== besides,
    );
    for (const row of found) this.#rows.of(tx).set(row.report.id, { ...row, nextAt: at });
    return Promise.resolve(found.map(({ report }) => report.id));
  }

  drop(tx: Tx, before: number): Promise<void> {
    for (const { report } of this.#all(tx)) {
      if (report.changeId !== null || report.createdAt >= before) continue;
      this.#rows.of(tx).delete(report.id);
    }
    return Promise.resolve();
  }

  #all(tx: Tx): readonly Row[] {
    return [...this.#rows.of(tx).values()];
  }
}
