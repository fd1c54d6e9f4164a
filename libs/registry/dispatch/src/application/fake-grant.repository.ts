import type { Tx } from '#lib/kernel';
import { FakeRefusal } from '../../../../foundation/kernel/src/fake-refusal.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { IssuedGrant } from '../domain/grant.js';
import type { GrantRepository, GrantSelector } from './grant.ports.js';
import type { GrantOrder } from './tool-dispatcher.port.js';

interface Kept {
  readonly grant: IssuedGrant;
  readonly order: GrantOrder;
}

function selects(selector: GrantSelector, { basis, environment, tool, source }: GrantOrder): boolean {
  if (selector.kind === 'all') return true;
  if (basis === 'rollback') return false;
  switch (selector.kind) {
    case 'tenant':
      return true;
    case 'environment':
      return selector.environment === environment;
    case 'tool':
      return selector.tool === tool.name;
    case 'sources':
      return selector.sources.some(({ type, id }) => type === source.type && id === source.id);
  }
}

/** Keeps grants in memory. */
export class FakeGrantRepository implements GrantRepository {
  readonly #grants: FakeTable<Kept>;

  constructor(database: FakeUnitOfWork) {
    this.#grants = new FakeTable(database);
  }

  insert(tx: Tx, issued: Pick<IssuedGrant, 'id' | 'issuedAt' | 'expiresAt'>, order: GrantOrder): Promise<void> {
    if (this.#grants.of(tx).has(issued.id)) throw new FakeRefusal('23505', 'call_grant_pk');
    const grant = {
      ...issued,
      environment: order.environment,
      audience: order.executor.audience,
      tool: order.tool.name,
      argumentsDigest: order.argumentsDigest,
      source: order.source,
      step: order.step,
      attempt: order.attempt,
      redeemedAt: null,
      revokedAt: null,
      revokedReason: null,
    };
    this.#grants.of(tx).set(issued.id, { grant, order });
    return Promise.resolve();
  }

  lock(tx: Tx, id: string): Promise<IssuedGrant | null> {
    return Promise.resolve(this.#grants.of(tx).get(id)?.grant ?? null);
  }

  markRedeemed(tx: Tx, id: string, now: number): Promise<void> {
    const kept = this.#grants.of(tx).get(id);
    if (kept === undefined) return Promise.resolve();
    const { redeemedAt, revokedAt } = kept.grant;
    if (redeemedAt !== null && redeemedAt !== now) throw new FakeRefusal('CS001', 'redeemed_at is set once');
    if (revokedAt !== null) throw new FakeRefusal('23514', 'call_grant_once_check');
    this.#grants.of(tx).set(id, { ...kept, grant: { ...kept.grant, redeemedAt: now } });
    return Promise.resolve();
  }

  revokeLive(tx: Tx, selector: GrantSelector, reason: string, now: number): Promise<number> {
    const live = [...this.#grants.of(tx).values()].filter(
      ({ grant, order }) =>
        grant.redeemedAt === null && grant.revokedAt === null && grant.expiresAt > now && selects(selector, order),
    );
    for (const { grant, order } of live)
      this.#grants.of(tx).set(grant.id, { order, grant: { ...grant, revokedAt: now, revokedReason: reason } });
    return Promise.resolve(live.length);
  }
}
