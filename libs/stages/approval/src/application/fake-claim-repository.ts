import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { ApprovalRequestId, PersonId, Tx } from '#lib/kernel';
import type { Claim } from '../domain/claim.js';
import type { ClaimRepository } from './approval.ports.js';

/** Keeps claims and first looks in memory. */
export class FakeClaimRepository implements ClaimRepository {
  readonly #claims: FakeTable<Claim>;
  readonly #looks: FakeTable<number>;

  constructor(uow: FakeUnitOfWork) {
    this.#claims = new FakeTable(uow);
    this.#looks = new FakeTable(uow);
  }

  async claim(tx: Tx, requestId: ApprovalRequestId, now: number): Promise<Claim | null> {
    return (await this.claimsOf(tx, [requestId], now)).get(requestId) ?? null;
  }

  claimsOf(
    tx: Tx,
    requestIds: readonly ApprovalRequestId[],
    now: number,
  ): Promise<ReadonlyMap<ApprovalRequestId, Claim>> {
    const standing = requestIds.flatMap((id): [ApprovalRequestId, Claim][] => {
      const claim = this.#claims.of(tx).get(id);
      return claim !== undefined && claim.expiresAt > now ? [[id, claim]] : [];
    });
    return Promise.resolve(new Map(standing));
  }

  saveClaim(tx: Tx, requestId: ApprovalRequestId, claim: Claim): Promise<void> {
    this.#claims.of(tx).set(requestId, claim);
    return Promise.resolve();
  }

  releaseClaim(tx: Tx, requestId: ApprovalRequestId, personId: PersonId): Promise<boolean> {
    const theirs = this.#claims.of(tx).get(requestId)?.personId === personId;
    return Promise.resolve(theirs && this.#claims.of(tx).delete(requestId));
  }

  saw(tx: Tx, requestId: ApprovalRequestId, personId: PersonId, at: number): Promise<boolean> {
    const looks = this.#looks.of(tx);
    const key = `${requestId} ${personId}`;
    if (looks.has(key)) return Promise.resolve(false);
    looks.set(key, at);
    return Promise.resolve(true);
  }
}
