import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { AgentId, Tx } from '#lib/kernel';
import type { FloodRepository } from './approval.ports.js';
import type { FakeApprovalRepository } from './fake-approval-repository.js';

/** Counts how often agents ask, from the requests themselves. */
export class FakeFloodRepository implements FloodRepository {
  /** By agent: until when it is throttled. */
  readonly #throttles: FakeTable<number>;

  constructor(
    uow: FakeUnitOfWork,
    private readonly requests: FakeApprovalRepository,
  ) {
    this.#throttles = new FakeTable(uow);
  }

  latest(tx: Tx, agentId: AgentId, limit: number): Promise<readonly number[]> {
    const opened = this.requests.all(tx).filter(({ requester }) => requester.id === agentId);
    const latest = opened.map(({ openedAt }) => openedAt).sort((one, other) => other - one);
    return Promise.resolve(latest.slice(0, limit));
  }

  throttled(
    tx: Tx,
    agentId: AgentId,
    { since, until }: { readonly since: number; readonly until: number },
  ): Promise<boolean> {
    const before = this.#throttles.of(tx).get(agentId) ?? 0;
    this.#throttles.of(tx).set(agentId, Math.max(before, until));
    return Promise.resolve(before <= since);
  }
}
