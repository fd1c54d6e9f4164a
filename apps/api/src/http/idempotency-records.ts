import { sqlOf } from '#lib/database';
import { newId, type CredentialId, type TenantId, type UnitOfWork } from '#lib/kernel';

/** After so long without an answer the first request is taken to be dead. */
const ABANDONED_AFTER = "interval '60 seconds'";
/** How long a key is remembered. */
const KEPT_FOR = "interval '24 hours'";

/** Each new key takes some that are over along, so that there are never many of them. */
const forgetSome = `
  delete from idempotency_record where tenant_id = $1 and id in (
    select over.id from idempotency_record over where over.tenant_id = $1 and over.expires_at <= clock_timestamp()
     order by over.expires_at limit 10 for update skip locked)`;

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
  /** As it was answered; empty where it is not kept. */
  readonly body: string;
}

export type ClaimOutcome =
  | { readonly kind: 'claimed' }
  | { readonly kind: 'answered'; readonly answer: AnswerToKeep }
  | { readonly kind: 'unfinished'; readonly old: boolean }
  | { readonly kind: 'mismatch' };

interface RecordRow {
  readonly operation: string;
  readonly request_digest: string;
  readonly response_status: number | null;
  readonly response_headers: Record<string, string> | null;
  readonly response_body: string | null;
  readonly old: boolean;
}

/** The answers kept for repeated requests, each belonging to one key of one credential. */
export class IdempotencyRecords {
  readonly #uow: UnitOfWork;

  constructor(uow: UnitOfWork) {
    this.#uow = uow;
  }

  /** Claims the key, or says what became of it. Of several at once exactly one claims. */
  claim(claim: IdempotencyClaim): Promise<ClaimOutcome> {
    return this.#uow.run(claim.tenantId, async (tx) => {
      const sql = sqlOf(tx);
      const key = [claim.tenantId, claim.credentialId, claim.key];
      await sql.execute(
        'delete from idempotency_record where tenant_id = $1 and credential_id = $2 and idempotency_key = $3 and expires_at <= clock_timestamp()',
        key,
      );
      const inserted = await sql.execute(
        `insert into idempotency_record (tenant_id, credential_id, idempotency_key, id, operation, request_digest, created_at, expires_at)
         select $1, $2, $3, $4, $5, $6, clock.now, clock.now + ${KEPT_FOR} from (select clock_timestamp() as now) clock
         on conflict (tenant_id, credential_id, idempotency_key) do nothing`,
        [...key, newId(), claim.operation, claim.requestDigest],
      );
      if (inserted === 1) {
        await sql.execute(forgetSome, [claim.tenantId]);
        return { kind: 'claimed' };
      }
      const [row] = await sql.query<RecordRow>(
        `select operation, request_digest, response_status, response_headers, response_body,
           created_at < clock_timestamp() - ${ABANDONED_AFTER} as old
           from idempotency_record where tenant_id = $1 and credential_id = $2 and idempotency_key = $3`,
        key,
      );
      // Released between the two statements: whoever held it is done, and the caller may repeat at once.
      return row === undefined ? { kind: 'unfinished', old: false } : outcomeOf(row, claim);
    });
  }

  async complete(claim: IdempotencyClaim, answer: AnswerToKeep): Promise<void> {
    await this.#uow.run(claim.tenantId, (tx) =>
      sqlOf(tx).execute(
        `update idempotency_record set response_status = $4, response_headers = $5, response_body = $6, completed_at = clock_timestamp()
          where tenant_id = $1 and credential_id = $2 and idempotency_key = $3`,
        [claim.tenantId, claim.credentialId, claim.key, answer.status, JSON.stringify(answer.headers), answer.body],
      ),
    );
  }

  async release(claim: IdempotencyClaim): Promise<void> {
    await this.#uow.run(claim.tenantId, (tx) =>
      sqlOf(tx).execute(
        'delete from idempotency_record where tenant_id = $1 and credential_id = $2 and idempotency_key = $3 and completed_at is null',
        [claim.tenantId, claim.credentialId, claim.key],
      ),
    );
  }
}

function outcomeOf(row: RecordRow, claim: IdempotencyClaim): ClaimOutcome {
  if (row.operation !== claim.operation || row.request_digest !== claim.requestDigest) return { kind: 'mismatch' };
  if (row.response_status === null || row.response_headers === null || row.response_body === null) {
    return { kind: 'unfinished', old: row.old };
  }
  return {
    kind: 'answered',
    answer: { status: row.response_status, headers: row.response_headers, body: row.response_body },
  };
}
