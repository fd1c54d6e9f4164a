import { canonicalJson, type Json } from '#lib/canonical';
import { sqlOf } from '#lib/database';
import {
  requireSeal,
  type ChangeKind,
  type ChangeRequestId,
  type CredentialId,
  type Digest,
  type MfaMethod,
  type PageRequest,
  type PersonId,
  type RowSeals,
  type SealedRow,
  type Tx,
} from '#lib/kernel';
import type { ChangeFilter, ChangeRequestRepository, NamedChange } from '../application/change-request.ports.js';
import type { ChangeRequest, ClosedChange, OpenChange } from '../domain/change-request.js';

interface Row {
  readonly id: ChangeRequestId;
  readonly kind: ChangeKind;
  readonly state: ChangeRequest['state'];
  readonly subject_type: string;
  readonly subject_id: string;
  readonly what: string;
  readonly payload: string;
  readonly base_digest: Digest;
  readonly change_digest: Digest;
  readonly loosens: readonly string[];
  readonly detail: string;
  readonly required_role: string;
  readonly requested_by: PersonId;
  readonly credential_id: CredentialId;
  readonly beneficiary_id: PersonId | null;
  readonly opened_at: Date;
  readonly expires_at: Date;
  readonly closed_at: Date | null;
  readonly closed_by: PersonId | null;
  readonly closed_reason: string | null;
  readonly reason: string | null;
  readonly mfa_method: MfaMethod | null;
  readonly mfa_proved_at: Date | null;
  readonly seal: string;
}

interface NamedRow extends Row {
  readonly requested_by_name: string;
  readonly closed_by_name: string | null;
}

const COLUMNS = `c.id, c.kind, c.state, c.subject_type, c.subject_id, c.what, c.payload, c.base_digest, c.change_digest, c.loosens,
  c.detail, c.required_role, c.requested_by, c.credential_id, c.beneficiary_id, c.opened_at, c.expires_at, c.closed_at,
  c.closed_by, c.closed_reason, c.reason, c.mfa_method, c.mfa_proved_at, c.seal`;

const NAMED = `select ${COLUMNS}, countersign_shown_name(author) as requested_by_name,
    case when closer.id is not null then countersign_shown_name(closer) end as closed_by_name
  from change_request c
  join person author on author.tenant_id = c.tenant_id and author.id = c.requested_by
  left join person closer on closer.tenant_id = c.tenant_id and closer.id = c.closed_by`;

/** Change requests in PostgreSQL. One that Countersign did not seal is neither shown nor decided (`record.not_authentic`). */
export class PostgresChangeRequestRepository implements ChangeRequestRepository {
  constructor(private readonly seals: RowSeals) {}

  async insert(tx: Tx, change: OpenChange): Promise<void> {
    await sqlOf(tx).execute(
      `insert into change_request (tenant_id, id, kind, state, subject_type, subject_id, what, payload, base_digest,
         change_digest, loosens, detail, required_role, requested_by, credential_id, beneficiary_id, opened_at, expires_at, seal, reason)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)`,
      [
        tx.tenantId,
        change.id,
        change.kind,
        change.state,
        change.subject.type,
        change.subject.id,
        change.what,
        canonicalJson(change.payload),
        change.baseDigest,
        change.changeDigest,
        JSON.stringify(change.loosens),
        canonicalJson(change.detail),
        change.requiredRole,
        change.requestedBy,
        change.credentialId,
        change.beneficiaryId,
        new Date(change.openedAt),
        new Date(change.expiresAt),
        await this.seals.seal(sealedChange(tx, change)),
        change.why,
      ],
    );
  }

  async lock(tx: Tx, id: ChangeRequestId): Promise<ChangeRequest | null> {
    const [row] = await sqlOf(tx).query<Row>(
      `select ${COLUMNS} from change_request c where c.tenant_id = $1 and c.id = $2 for update`,
      [tx.tenantId, id],
    );
    return row === undefined ? null : this.required(tx, row);
  }

  async close(tx: Tx, change: ClosedChange): Promise<void> {
    const mfa = change.state === 'applied' ? change.mfa : null;
    const closed = await sqlOf(tx).execute(
      `update change_request set state = $3, closed_at = $4, closed_by = $5, closed_reason = $6, mfa_method = $7, mfa_proved_at = $8
       where tenant_id = $1 and id = $2`,
      [
        tx.tenantId,
        change.id,
        change.state,
        new Date(change.closedAt),
        'closedBy' in change ? change.closedBy : null,
        'reason' in change ? change.reason : null,
        mfa?.method ?? null,
        mfa === null ? null : new Date(mfa.provedAt),
      ],
    );
    if (closed !== 1) throw new Error(`change ${change.id} was to be closed and is not there`);
  }

  async find(tx: Tx, id: ChangeRequestId): Promise<NamedChange | null> {
    const [row] = await sqlOf(tx).query<NamedRow>(`${NAMED} where c.tenant_id = $1 and c.id = $2`, [tx.tenantId, id]);
    if (row === undefined) return null;
    await this.required(tx, row);
    return namedOf(row);
  }

  async list(tx: Tx, filter: ChangeFilter, page: PageRequest): Promise<readonly NamedChange[]> {
    const rows = await sqlOf(tx).query<NamedRow>(
      `${NAMED} where c.tenant_id = $1
         and ($2::text is null or c.state = $2) and ($3::text is null or c.kind = $3)
         and ($4::timestamptz is null or (c.opened_at, c.id) < ($4, $5::uuid))
       order by c.opened_at desc, c.id desc limit $6`,
      [
        tx.tenantId,
        filter.state ?? null,
        filter.kind ?? null,
        page.after === null ? null : new Date(page.after.at),
        page.after?.id ?? null,
        page.limit,
      ],
    );
    return (await this.authentic(tx, rows)).map(namedOf);
  }

  async openAbout(tx: Tx, kind: ChangeKind, subjectId: string | null): Promise<readonly ChangeRequestId[]> {
    const rows = await sqlOf(tx).query<{ readonly id: ChangeRequestId }>(
      `select id from change_request where tenant_id = $1 and state = 'open' and kind = $2 and ($3::text is null or subject_id = $3)
        order by opened_at, id`,
      [tx.tenantId, kind, subjectId],
    );
    return rows.map(({ id }) => id);
  }

  async waiting(tx: Tx, kind: ChangeKind, subjectId: string): Promise<readonly Json[]> {
    const rows = await sqlOf(tx).query<Row>(
      `select ${COLUMNS} from change_request c
       where c.tenant_id = $1 and c.state = 'open' and c.expires_at > clock_timestamp() and c.kind = $2 and c.subject_id = $3
       order by c.opened_at, c.id`,
      [tx.tenantId, kind, subjectId],
    );
    return (await this.authentic(tx, rows)).map(({ payload }) => JSON.parse(payload) as Json);
  }

  private async required(tx: Tx, row: Row): Promise<ChangeRequest> {
    const change = changeOf(row);
    await requireSeal(this.seals, sealedChange(tx, change), row.seal);
    return change;
  }

  private async authentic<One extends Row>(tx: Tx, rows: readonly One[]): Promise<readonly One[]> {
    const authentic: One[] = [];
    for (const row of rows) {
      if (await this.seals.holds(sealedChange(tx, changeOf(row)), row.seal)) authentic.push(row);
    }
    return authentic;
  }
}

/** What was asked for, by whom, and what it does. How it ended is on record, and decides nothing. */
const sealedChange = (tx: Tx, change: ChangeRequest): SealedRow => ({
  table: 'change_request',
  tenantId: tx.tenantId,
  id: change.id,
  columns: {
    kind: change.kind,
    subject: { type: change.subject.type, id: change.subject.id },
    what: change.what,
    payload: change.payload,
    base_digest: change.baseDigest,
    change_digest: change.changeDigest,
    loosens: [...change.loosens],
    detail: change.detail,
    required_role: change.requiredRole,
    requested_by: change.requestedBy,
    credential_id: change.credentialId,
    beneficiary_id: change.beneficiaryId,
    ...(change.why === null ? {} : { reason: change.why }),
  },
});

const namedOf = (row: NamedRow): NamedChange => ({
  change: changeOf(row),
  requestedByName: row.requested_by_name,
  closedByName: row.closed_by_name,
});

function changeOf(row: Row): ChangeRequest {
  const facts = {
    id: row.id,
    kind: row.kind,
    subject: { type: row.subject_type, id: row.subject_id },
    what: row.what,
    payload: JSON.parse(row.payload) as Json,
    baseDigest: row.base_digest,
    changeDigest: row.change_digest,
    loosens: row.loosens,
    detail: JSON.parse(row.detail) as Json,
    requiredRole: row.required_role,
    requestedBy: row.requested_by,
    credentialId: row.credential_id,
    beneficiaryId: row.beneficiary_id,
    why: row.reason,
    openedAt: row.opened_at.getTime(),
    expiresAt: row.expires_at.getTime(),
  };
  const there = <T>(value: T | null): T => {
    if (value === null) throw new Error(`change ${row.id} is ${row.state} and lacks what belongs to it`);
    return value;
  };
  switch (row.state) {
    case 'open':
      return { ...facts, state: row.state };
    case 'applied': {
      const mfa = { method: there(row.mfa_method), provedAt: there(row.mfa_proved_at).getTime() };
      return {
        ...facts,
        state: row.state,
        closedAt: there(row.closed_at).getTime(),
        closedBy: there(row.closed_by),
        mfa,
      };
    }
    case 'rejected': {
      const closed = { closedAt: there(row.closed_at).getTime(), closedBy: there(row.closed_by) };
      return { ...facts, ...closed, state: row.state, reason: there(row.closed_reason) };
    }
    case 'withdrawn':
      return { ...facts, state: row.state, closedAt: there(row.closed_at).getTime(), closedBy: there(row.closed_by) };
    case 'expired':
      return { ...facts, state: row.state, closedAt: there(row.closed_at).getTime() };
    case 'voided':
      return { ...facts, state: row.state, closedAt: there(row.closed_at).getTime(), reason: there(row.closed_reason) };
  }
}
