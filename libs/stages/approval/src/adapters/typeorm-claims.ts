import { In, MoreThan } from 'typeorm';
import { rowsOf } from '#lib/database';
import type { ApprovalRequestId, PersonId, Tx } from '#lib/kernel';
import type { ClaimRepository } from '../application/approval.ports.js';
import type { Claim } from '../domain/claim.js';
import { approvalClaimEntity, approvalLookEntity } from './approval.entity.js';

/** Claims and first looks in PostgreSQL. */
export class TypeormClaims implements ClaimRepository {
  async claim(tx: Tx, requestId: ApprovalRequestId, now: number): Promise<Claim | null> {
    return (await this.claimsOf(tx, [requestId], now)).get(requestId) ?? null;
  }

  async claimsOf(
    tx: Tx,
    requestIds: readonly ApprovalRequestId[],
    now: number,
  ): Promise<ReadonlyMap<ApprovalRequestId, Claim>> {
    if (requestIds.length === 0) return new Map();
    const standing = { requestId: In([...requestIds]), expiresAt: MoreThan(now) };
    const rows = await rowsOf(tx, approvalClaimEntity).find(standing);
    return new Map(rows.map(({ requestId, ...claim }) => [requestId, claim]));
  }

  async saveClaim(tx: Tx, requestId: ApprovalRequestId, claim: Claim): Promise<void> {
    const changes = ['personId', 'claimedAt', 'expiresAt'] as const;
    await rowsOf(tx, approvalClaimEntity).insertOrUpdate(['requestId'], changes, { requestId, ...claim });
  }

  async releaseClaim(tx: Tx, requestId: ApprovalRequestId, personId: PersonId): Promise<boolean> {
    return (await rowsOf(tx, approvalClaimEntity).delete({ requestId, personId })) > 0;
  }

  saw(tx: Tx, requestId: ApprovalRequestId, personId: PersonId, at: number): Promise<boolean> {
    const look = { requestId, personId, firstAt: at };
    return rowsOf(tx, approvalLookEntity).insertUnless(['requestId', 'personId'], look);
  }
}
