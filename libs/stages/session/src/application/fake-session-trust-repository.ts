import type { PageRequest, SessionId, Tx } from '#lib/kernel';
import { fakePage } from '../../../../foundation/kernel/src/fake-page.js';
import { FakeRefusal } from '../../../../foundation/kernel/src/fake-refusal.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { SessionTrustId } from '../domain/ids.js';
import { isSameAnswer, type RevokedTrust, type SessionTrust, type TrustedCall } from '../domain/session-trust.js';
import type { SessionTrustRepository } from './session.ports.js';

/** Keeps trusts in memory. */
export class FakeSessionTrustRepository implements SessionTrustRepository {
  readonly #trusts: FakeTable<SessionTrust>;

  constructor(database: FakeUnitOfWork) {
    this.#trusts = new FakeTable(database);
  }

  async insert(tx: Tx, trust: SessionTrust): Promise<void> {
    const others = await this.covering(tx, trust.sessionId, trust);
    if (others.some((other) => isSameAnswer(other, trust)))
      throw new FakeRefusal('23505', 'session_trust_in_force_unique');
    this.#trusts.of(tx).set(trust.id, trust);
  }

  async covering(tx: Tx, sessionId: SessionId, call: TrustedCall): Promise<readonly SessionTrust[]> {
    return (await this.inForce(tx, sessionId)).filter((trust) => isSameTrustedCall(trust, call));
  }

  find(tx: Tx, sessionId: SessionId, id: SessionTrustId): Promise<SessionTrust | null> {
    return Promise.resolve(this.#of(tx, sessionId).find((trust) => trust.id === id) ?? null);
  }

  list(tx: Tx, sessionId: SessionId, page: PageRequest): Promise<readonly SessionTrust[]> {
    return Promise.resolve(fakePage(this.#of(tx, sessionId), ({ madeAt }) => madeAt, page));
  }

  inForce(tx: Tx, sessionId: SessionId): Promise<readonly SessionTrust[]> {
    const inForce = this.#of(tx, sessionId).filter(({ revoked }) => revoked === null);
    return Promise.resolve(inForce.toSorted((a, b) => a.madeAt - b.madeAt || (a.id < b.id ? -1 : 1)));
  }

  async saveRevoked(tx: Tx, { id, sessionId, revoked }: RevokedTrust): Promise<void> {
    const trust = await this.find(tx, sessionId, id);
    if (trust === null) return;
    if (trust.revoked !== null) throw new FakeRefusal('CS001', 'a trust is taken back once');
    this.#trusts.of(tx).set(id, { ...trust, revoked });
  }

  #of(tx: Tx, sessionId: SessionId): readonly SessionTrust[] {
    return [...this.#trusts.of(tx).values()].filter((trust) => trust.sessionId === sessionId);
  }
}

const isSameTrustedCall = (one: TrustedCall, other: TrustedCall): boolean =>
  one.tool === other.tool &&
  one.toolDigest === other.toolDigest &&
  one.executorDigest === other.executorDigest &&
  one.shape === other.shape;
