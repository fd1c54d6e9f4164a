import { z } from 'zod';
import { dropOldRows, parsedValue, sqlOf, type OldRows } from '#lib/database';
import { newId, type CredentialId, type TenantId, type Tx } from '#lib/kernel';

export interface IdempotencyClaim {
  readonly tenantId: TenantId;
  readonly credentialId: CredentialId;
  readonly key: string;
  /** Method and route template. */
  readonly operation: string;
  readonly requestDigest: string;
}

export interface AnswerToKeep {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** As it was answered; empty if it is not kept. Of a status from 500 on, the code of the failure. */
  readonly body: string;
}

export type ClaimOutcome =
  | { readonly kind: 'claimed' }
  | { readonly kind: 'answered'; readonly answer: AnswerToKeep }
  | { readonly kind: 'unfinished'; readonly old: boolean }
  | { readonly kind: 'mismatch' };

interface ClaimRow {
  readonly outcome: ClaimOutcome['kind'];
  /** Whether the first request must have died: so long ago did it claim the key. */
  readonly old: boolean;
  readonly response_status: number;
  readonly response_headers: unknown;
  readonly response_body: string;
}

const headersSchema = z.record(z.string(), z.string());

/** The answers kept for repeated requests, each belonging to one key of one credential. */
export class SqlIdempotencyRecords {
  /** Claims the key, or returns the result of the earlier claim. Of several at once exactly one claims. */
  async claim(tx: Tx, claim: IdempotencyClaim): Promise<ClaimOutcome> {
    const [row] = await sqlOf(tx).query<ClaimRow>('select * from idempotency_claim($1, $2, $3, $4, $5)', [
      newId(),
      claim.credentialId,
      claim.key,
      claim.operation,
      claim.requestDigest,
    ]);
    if (row === undefined) throw new Error('idempotency_claim answered nothing');
    return outcomeOf(row, claim);
  }

  /** Keeps the answer; travels with the last writes. */
  complete(tx: Tx, claim: IdempotencyClaim, answer: AnswerToKeep): Promise<void> {
    const { credentialId, key } = claim;
    sqlOf(tx).callAhead('idempotency_keep', [
      credentialId,
      key,
      answer.status,
      JSON.stringify(answer.headers),
      answer.body,
    ]);
    return Promise.resolve();
  }

  /** Gives the key back; travels with the commit. */
  release(tx: Tx, claim: IdempotencyClaim): Promise<void> {
    sqlOf(tx).executeAhead(
      'delete from idempotency_record where tenant_id = $1 and credential_id = $2 and idempotency_key = $3 and completed_at is null',
      [claim.tenantId, claim.credentialId, claim.key],
    );
    return Promise.resolve();
  }
}

function outcomeOf(row: ClaimRow, { credentialId: id }: IdempotencyClaim): ClaimOutcome {
  switch (row.outcome) {
    case 'answered': {
      const at = { table: 'idempotency_record', column: 'response_headers', id };
      const headers = parsedValue(headersSchema, row.response_headers, at);
      return { kind: 'answered', answer: { status: row.response_status, headers, body: row.response_body } };
    }
    case 'unfinished':
      return { kind: 'unfinished', old: row.old };
    default:
      return { kind: row.outcome };
  }
}

/** The answers say themselves when they expire. */
export const expiredAnswers: OldRows = {
  name: 'kept-answers',
  tenants: 'idempotency_expired_tenants',
  ageMs: 0,
  drop: dropOldRows('idempotency_record', 'expires_at', 'old.expires_at <= least($2, clock_timestamp())'),
};
