import type { ImpactReportId, Tx } from '#lib/kernel';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { groupsForReaders, mergeGroups, type ImpactGroups } from '../domain/groups.js';
import type { LatticeCell } from '../domain/lattice.js';
import { NO_FINDINGS, type CellKey, type CellPage, type Findings, type ImpactFindings } from './impact-findings.js';

/** Keeps findings in memory. */
export class FakeImpactFindings implements ImpactFindings {
  readonly #found: FakeTable<Findings>;

  constructor(database: FakeUnitOfWork) {
    this.#found = new FakeTable(database);
  }

  add(tx: Tx, id: ImpactReportId, { cells, groups }: Findings): Promise<void> {
    const before = this.#of(tx, id);
    const after = { cells: [...before.cells, ...cells], groups: mergeGroups([...before.groups, ...groups]) };
    this.#found.of(tx).set(id, after);
    return Promise.resolve();
  }

  drop(tx: Tx, id: ImpactReportId): Promise<void> {
    this.#found.of(tx).delete(id);
    return Promise.resolve();
  }

  cells(tx: Tx, id: ImpactReportId, { limit, after }: CellPage): Promise<readonly LatticeCell[]> {
    const sorted = this.#of(tx, id).cells.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    return Promise.resolve(sorted.filter((cell) => after === null || keyOf(cell) > keyOf(after)).slice(0, limit));
  }

  groups(tx: Tx, id: ImpactReportId): Promise<ImpactGroups> {
    return Promise.resolve(groupsForReaders(this.#of(tx, id).groups));
  }

  #of(tx: Tx, id: ImpactReportId): Findings {
    return this.#found.of(tx).get(id) ?? NO_FINDINGS;
  }
}

const keyOf = ({ inForce, tool, environment, mode }: CellKey): string =>
  [inForce ? '0' : '1', tool, environment, mode].join(' ');
