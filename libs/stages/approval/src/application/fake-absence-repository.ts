import { fakePage } from '../../../../foundation/kernel/src/fake-page.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { PageRequest, PersonId, Tx } from '#lib/kernel';
import type { Absence } from '../domain/absence.js';
import type { AbsenceRepository } from './approval.ports.js';
import { compareKeys } from './fake-order.js';

/** Keeps absences in memory. */
export class FakeAbsenceRepository implements AbsenceRepository {
  readonly #rows: FakeTable<Absence>;

  constructor(uow: FakeUnitOfWork) {
    this.#rows = new FakeTable(uow);
  }

  insert(tx: Tx, absence: Absence): Promise<void> {
    this.#rows.of(tx).set(absence.id, absence);
    return Promise.resolve();
  }

  lock(tx: Tx, id: string): Promise<Absence | null> {
    return Promise.resolve(this.#rows.of(tx).get(id) ?? null);
  }

  end(tx: Tx, id: string, { at, by }: { readonly at: number; readonly by: PersonId }): Promise<void> {
    const row = this.#rows.of(tx).get(id);
    if (row?.endedAt === null) this.#rows.of(tx).set(id, { ...row, endedAt: at, endedBy: by });
    return Promise.resolve();
  }

  list(tx: Tx, page: PageRequest): Promise<readonly Absence[]> {
    return Promise.resolve(fakePage(this.#rows.of(tx).values(), ({ createdAt }) => createdAt, page));
  }

  handedTo(tx: Tx, delegates: readonly PersonId[]): Promise<readonly Absence[]> {
    const found = [...this.#rows.of(tx).values()]
      .filter(({ delegateId, endedAt }) => delegates.includes(delegateId) && endedAt === null)
      .sort((one, other) => compareKeys([one.createdAt, one.id], [other.createdAt, other.id]));
    return Promise.resolve(found);
  }
}
