import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { Tx } from '#lib/kernel';
import type { LimitedRequester } from '../domain/request-flood.js';
import type { FloodRepository } from './approval.ports.js';
import type { FakeApprovalRepository } from './fake-approval-repository.js';

/** Counts how often agents and people ask, from the requests themselves. */
export class FakeFloodRepository implements FloodRepository {
  /** By agent or person: until when they are throttled. */
  readonly #throttles: FakeTable<number>;

  constructor(
    uow: FakeUnitOfWork,
    private readonly requests: FakeApprovalRepository,
  ) {
    this.#throttles = new FakeTable(uow);
  }

  latest(tx: Tx, { kind, id }: LimitedRequester, limit: number): Promise<readonly number[]> {
    const opened = this.requests.all(tx).filter(({ requester }) => requester.kind === kind && requester.id === id);
    const latest = opened.map(({ openedAt }) => openedAt).sort((one, other) => other - one);
    return Promise.resolve(latest.slice(0, limit));
  }

  throttled(
    tx: Tx,
    id: LimitedRequester['id'],
    { since, until }: { readonly since: number; readonly until: number },
  ): Promise<boolean> {
    const before = this.#throttles.of(tx).get(id) ?? 0;
    this.#throttles.of(tx).set(id, Math.max(before, until));
    return Promise.resolve(before <= since);
  }
}
