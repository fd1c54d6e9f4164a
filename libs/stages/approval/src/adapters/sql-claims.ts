import { sqlOf } from '#lib/database';
import type { ApprovalRequestId, PersonId, Tx } from '#lib/kernel';
import type { ClaimRepository } from '../application/approval.ports.js';
import type { Claim } from '../domain/claim.js';

interface ClaimRow {
  readonly request_id: ApprovalRequestId;
  readonly person_id: PersonId;
  readonly claimed_at: Date;
  readonly expires_at: Date;
}

/** Claims and first looks in PostgreSQL, tables approval_claim and approval_look. */
export class SqlClaims implements ClaimRepository {
  async claim(tx: Tx, requestId: ApprovalRequestId, now: number): Promise<Claim | null> {
    return (await this.claimsOf(tx, [requestId], now)).get(requestId) ?? null;
  }

  async claimsOf(
    tx: Tx,
    requestIds: readonly ApprovalRequestId[],
    now: number,
  ): Promise<ReadonlyMap<ApprovalRequestId, Claim>> {
    if (requestIds.length === 0) return new Map();
    const rows = await sqlOf(tx).query<ClaimRow>(
      `select request_id, person_id, claimed_at, expires_at from approval_claim
        where tenant_id = $1 and request_id = any ($2::uuid[]) and expires_at > $3`,
      [tx.tenantId, requestIds, new Date(now)],
    );
    return new Map(
      rows.map((row) => [
        row.request_id,
        { personId: row.person_id, claimedAt: row.claimed_at.getTime(), expiresAt: row.expires_at.getTime() },
      ]),
    );
  }

  async saveClaim(tx: Tx, requestId: ApprovalRequestId, claim: Claim): Promise<void> {
    await sqlOf(tx).execute(
      `insert into approval_claim (tenant_id, request_id, person_id, claimed_at, expires_at) values ($1, $2, $3, $4, $5)
       on conflict on constraint approval_claim_pk do update set
         person_id = excluded.person_id, claimed_at = excluded.claimed_at, expires_at = excluded.expires_at`,
      [tx.tenantId, requestId, claim.personId, new Date(claim.claimedAt), new Date(claim.expiresAt)],
    );
  }

  async releaseClaim(tx: Tx, requestId: ApprovalRequestId, personId: PersonId): Promise<boolean> {
    const released = await sqlOf(tx).execute(
      'delete from approval_claim where tenant_id = $1 and request_id = $2 and person_id = $3',
      [tx.tenantId, requestId, personId],
    );
    return released > 0;
  }

  async saw(tx: Tx, requestId: ApprovalRequestId, personId: PersonId, at: number): Promise<boolean> {
    const first = await sqlOf(tx).execute(
      `insert into approval_look (tenant_id, request_id, person_id, first_at) values ($1, $2, $3, $4)
       on conflict on constraint approval_look_pk do nothing`,
      [tx.tenantId, requestId, personId, new Date(at)],
    );
    return first > 0;
  }
}
