import type { Json } from '#lib/canonical';
import type { ChangeKind, ChangeRequestId, PageRequest, Tx } from '#lib/kernel';
import { fakePage } from '../../../../foundation/kernel/src/fake-page.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { ChangeRequest, ClosedChange, OpenChange } from '../domain/change-request.js';
import type { ChangeFilter, ChangeRequestRepository, NamedChange } from './change-request.ports.js';

/** Keeps change requests in memory. */
export class FakeChangeRequestRepository implements ChangeRequestRepository {
  readonly #changes: FakeTable<ChangeRequest>;

  constructor(private readonly database: FakeUnitOfWork) {
    this.#changes = new FakeTable(database);
  }

  insert(tx: Tx, change: OpenChange): Promise<void> {
    this.#changes.of(tx).set(change.id, change);
    return Promise.resolve();
  }

  lock(tx: Tx, id: ChangeRequestId): Promise<ChangeRequest | null> {
    return Promise.resolve(this.#changes.of(tx).get(id) ?? null);
  }

  close(tx: Tx, change: ClosedChange): Promise<void> {
    this.#changes.of(tx).set(change.id, change);
    return Promise.resolve();
  }

  async find(tx: Tx, id: ChangeRequestId): Promise<NamedChange | null> {
    const change = await this.lock(tx, id);
    return change && named(change);
  }

  list(tx: Tx, { state, kind }: ChangeFilter, page: PageRequest): Promise<readonly NamedChange[]> {
    const wanted = [...this.#changes.of(tx).values()].filter(
      (change) => change.state === (state ?? change.state) && change.kind === (kind ?? change.kind),
    );
    return Promise.resolve(fakePage(wanted, ({ openedAt }) => openedAt, page).map(named));
  }

  openAbout(tx: Tx, kind: ChangeKind, subjectId: string | null): Promise<readonly ChangeRequestId[]> {
    return Promise.resolve(this.#open(tx, kind, subjectId).map(({ id }) => id));
  }

  waiting(tx: Tx, kind: ChangeKind, subjectId: string): Promise<readonly Json[]> {
    const unexpired = this.#open(tx, kind, subjectId).filter(({ expiresAt }) => expiresAt > this.database.now);
    return Promise.resolve(unexpired.map(({ payload }) => payload));
  }

  /** The oldest first. */
  #open(tx: Tx, kind: ChangeKind, subjectId: string | null): ChangeRequest[] {
    return [...this.#changes.of(tx).values()]
      .filter(
        (change) =>
          change.state === 'open' && change.kind === kind && (subjectId === null || change.subject.id === subjectId),
      )
      .sort((one, other) => one.openedAt - other.openedAt);
  }
}

const named = (change: ChangeRequest): NamedChange => ({
  change,
  requestedByName: 'Its author',
  closedByName: 'closedBy' in change ? 'Its confirmer' : null,
});
