import { z } from 'zod';
import { dropOldRows, parsedValue, sqlOf, type OldRows } from '#lib/database';
import { newId, type Tx } from '#lib/kernel';
import type {
  AnswerToKeep,
  ClaimOutcome,
  IdempotencyClaim,
  IdempotencyRecords,
} from '../application/idempotency.ports.js';

interface ClaimRow {
  readonly outcome: ClaimOutcome['kind'];
  readonly old: boolean;
  readonly response_status: number;
  readonly response_headers: unknown;
  readonly response_body: string;
}

const headersSchema = z.record(z.string(), z.string());

export class SqlIdempotencyRecords implements IdempotencyRecords {
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
