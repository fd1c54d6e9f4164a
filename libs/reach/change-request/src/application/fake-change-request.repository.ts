import type { Json } from '#lib/canonical';
import type { ChangeKind, ChangeRequestId, PageRequest, PersonId, Tx } from '#lib/kernel';
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

  lock(tx: Tx, id: ChangeRequestId): Promise<NamedChange | null> {
    return this.find(tx, id);
  }

  close(tx: Tx, change: ClosedChange): Promise<void> {
    this.#changes.of(tx).set(change.id, change);
    return Promise.resolve();
  }

  find(tx: Tx, id: ChangeRequestId): Promise<NamedChange | null> {
    const change = this.#changes.of(tx).get(id);
    return Promise.resolve(change === undefined ? null : named(change));
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

/** As the sample people of a directory are called. */
const nameOf = (id: PersonId): string => `Person ${id}`;

const named = (change: ChangeRequest): NamedChange => ({
  change,
  requestedByName: nameOf(change.requestedBy),
  closedByName: 'closedBy' in change ? nameOf(change.closedBy) : null,
});
