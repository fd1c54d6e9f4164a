import type { ChangeRequestId, ImpactReportId, Tx } from '#lib/kernel';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { isUnfinished, type ImpactReport } from '../domain/impact-report.js';
import type { LatticeCell } from '../domain/lattice.js';
import type { CellKey, CellPage, ImpactReportRepository, Lease, NextTurn } from './impact.ports.js';

interface Row {
  readonly report: ImpactReport;
  readonly nextAt: number | null;
  readonly token: string | null;
}

/** Keeps reports in memory. */
export class FakeImpactReportRepository implements ImpactReportRepository {
  readonly #rows: FakeTable<Row>;
  readonly #cells: FakeTable<readonly LatticeCell[]>;

  constructor(database: FakeUnitOfWork) {
    this.#rows = new FakeTable(database);
    this.#cells = new FakeTable(database);
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
      this.#cells.of(tx).delete(report.id);
    }
    return Promise.resolve();
  }

  addCells(tx: Tx, id: ImpactReportId, cells: readonly LatticeCell[]): Promise<void> {
    const added = new Set(cells.map(keyOf));
    const others = (this.#cells.of(tx).get(id) ?? []).filter((cell) => !added.has(keyOf(cell)));
    this.#cells.of(tx).set(id, [...others, ...cells]);
    return Promise.resolve();
  }

  dropCells(tx: Tx, id: ImpactReportId): Promise<void> {
    this.#cells.of(tx).delete(id);
    return Promise.resolve();
  }

  cells(tx: Tx, id: ImpactReportId, { limit, after }: CellPage): Promise<readonly LatticeCell[]> {
    const sorted = (this.#cells.of(tx).get(id) ?? []).toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    return Promise.resolve(sorted.filter((cell) => after === null || keyOf(cell) > keyOf(after)).slice(0, limit));
  }

  #all(tx: Tx): readonly Row[] {
    return [...this.#rows.of(tx).values()];
  }
}

const keyOf = ({ inForce, tool, environment, mode }: CellKey): string =>
  [inForce ? '0' : '1', tool, environment, mode].join(' ');
