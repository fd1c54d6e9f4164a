import type { Json } from '#lib/canonical';
import { rowsOf, sqlOf, type RowOf } from '#lib/database';
import { personEntity } from '#lib/identity';
import {
  requireSeal,
  type ChangeKind,
  type ChangeRequestId,
  type PageRequest,
  type RowSeals,
  type SealedRow,
  type Tx,
} from '#lib/kernel';
import type { ChangeFilter, ChangeRequestRepository, NamedChange } from '../application/change-request.ports.js';
import type { ChangeRequest, ClosedChange, OpenChange } from '../domain/change-request.js';
import { changeRequestEntity } from './change-request.entity.js';

const CLOSER = personEntity.as('closer');
const AUTHOR = personEntity.as('author');
const C = changeRequestEntity.as('c');

type Row = RowOf<typeof changeRequestEntity>;

interface Names {
  readonly requestedByName: string;
  readonly closedByName: string | null;
}

const ALL = changeRequestEntity.all;

const NAMED = `select ${ALL.columns('c')}, countersign_shown_name(author) as "requestedByName",
    case when ${CLOSER.id} is not null then countersign_shown_name(closer) end as "closedByName"
  from change_request c
  join person author on author.tenant_id = c.tenant_id and ${AUTHOR.id} = ${C.requestedBy}
  left join person closer on closer.tenant_id = c.tenant_id and ${CLOSER.id} = ${C.closedBy}`;

const OPEN = { closedAt: null, closedBy: null, closedReason: null, mfaMethod: null, mfaProvedAt: null };

/** Change requests in PostgreSQL. A row without a true seal is neither shown nor decided (`record.not_authentic`). */
export class SqlChangeRequestRepository implements ChangeRequestRepository {
  constructor(private readonly seals: RowSeals) {}

  async insert(tx: Tx, change: OpenChange): Promise<void> {
    const { subject, why: reason } = change;
    const seal = await this.seals.seal(sealedChange(tx, change));
    const row = { ...change, ...OPEN, subjectType: subject.type, subjectId: subject.id, reason, seal };
    await rowsOf(tx, changeRequestEntity).insert(row);
  }

  lock(tx: Tx, id: ChangeRequestId): Promise<NamedChange | null> {
    return this.#one(tx, `${C.id} = $2 for update of c`, id);
  }

  async close(tx: Tx, change: ClosedChange): Promise<void> {
    const { id, state, closedAt } = change;
    const closed = await rowsOf(tx, changeRequestEntity).update(
      { id },
      {
        state,
        closedAt,
        closedBy: 'closedBy' in change ? change.closedBy : null,
        closedReason: 'reason' in change ? change.reason : null,
        ...(change.state === 'applied' ? { mfaMethod: change.mfa.method, mfaProvedAt: change.mfa.provedAt } : {}),
      },
    );
    if (closed !== 1) throw new Error(`change ${id} was to be closed and is not there`);
  }

  find(tx: Tx, id: ChangeRequestId): Promise<NamedChange | null> {
    return this.#one(tx, `${C.id} = $2`, id);
  }

  async list(tx: Tx, { state, kind }: ChangeFilter, { after, limit }: PageRequest): Promise<readonly NamedChange[]> {
    const rows = await this.#named(
      tx,
      `($2::text is null or ${C.state} = $2) and ($3::text is null or ${C.kind} = $3)
         and ($4::timestamptz is null or (${C.openedAt}, ${C.id}) < ($4, $5::uuid))
       order by ${C.openedAt} desc, ${C.id} desc limit $6`,
      [state ?? null, kind ?? null, after && new Date(after.at), after?.id ?? null, limit],
    );
    return (await this.#authentic(tx, rows)).map(([row, change]) => namedOf(row, change));
  }

  async openAbout(tx: Tx, kind: ChangeKind, subjectId: string | null): Promise<readonly ChangeRequestId[]> {
    const about = { state: 'open', kind, ...(subjectId === null ? {} : { subjectId }) } as const;
    const rows = await rowsOf(tx, changeRequestEntity).find(about, { order: { openedAt: 'asc', id: 'asc' } });
    return rows.map(({ id }) => id);
  }

  async waiting(tx: Tx, kind: ChangeKind, subjectId: string): Promise<readonly Json[]> {
    const rows = await sqlOf(tx).query<object>(
      `select ${ALL.columns('c')} from change_request c
       where c.tenant_id = $1 and ${C.state} = 'open' and ${C.expiresAt} > clock_timestamp() and ${C.kind} = $2 and ${C.subjectId} = $3
       order by ${C.openedAt}, ${C.id}`,
      [tx.tenantId, kind, subjectId],
    );
    return (
      await this.#authentic(
        tx,
        rows.map((row) => ALL.row(row)),
      )
    ).map(([, { payload }]) => payload);
  }

  async #one(tx: Tx, rest: string, id: ChangeRequestId): Promise<NamedChange | null> {
    const [row] = await this.#named(tx, rest, [id]);
    if (row === undefined) return null;
    const change = changeOf(row);
    await requireSeal(this.seals, sealedChange(tx, change), row.seal);
    return namedOf(row, change);
  }

  /** @param rest the condition after the tenant's, and the order. */
  async #named(tx: Tx, rest: string, parameters: readonly unknown[]): Promise<readonly (Row & Names)[]> {
    const rows = await sqlOf(tx).query<Names>(`${NAMED} where c.tenant_id = $1 and ${rest}`, [
      tx.tenantId,
      ...parameters,
    ]);
    return rows.map((row) => ALL.row(row));
  }

  async #authentic<One extends Row>(tx: Tx, rows: readonly One[]): Promise<readonly (readonly [One, ChangeRequest])[]> {
    const authentic: (readonly [One, ChangeRequest])[] = [];
    for (const row of rows) {
      const change = changeOf(row);
      if (await this.seals.holds(sealedChange(tx, change), row.seal)) authentic.push([row, change]);
    }
    return authentic;
  }
}

/** The request, its author and its effect. The end of a change is on record, and decides nothing. */
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
    reason: change.why,
  },
});

const namedOf = ({ requestedByName, closedByName }: Names, change: ChangeRequest): NamedChange => ({
  change,
  requestedByName,
  closedByName,
});

/** @throws {Error} if a row breaks the table's constraints. */
function changeOf(row: Row): ChangeRequest {
  const facts = {
    id: row.id,
    kind: row.kind,
    subject: { type: row.subjectType, id: row.subjectId },
    what: row.what,
    payload: row.payload,
    baseDigest: row.baseDigest,
    changeDigest: row.changeDigest,
    loosens: row.loosens,
    detail: row.detail,
    requiredRole: row.requiredRole,
    requestedBy: row.requestedBy,
    credentialId: row.credentialId,
    beneficiaryId: row.beneficiaryId,
    why: row.reason,
    openedAt: row.openedAt,
    expiresAt: row.expiresAt,
  };
  if (row.state === 'open') return { ...facts, state: row.state };
  const there = <T>(value: T | null): T => {
    if (value === null) throw new Error(`change ${row.id} is ${row.state} and lacks what belongs to it`);
    return value;
  };
  const closedAt = there(row.closedAt);
  switch (row.state) {
    case 'applied': {
      const mfa = { method: there(row.mfaMethod), provedAt: there(row.mfaProvedAt) };
      return { ...facts, state: row.state, closedAt, closedBy: there(row.closedBy), mfa };
    }
    case 'rejected':
      return { ...facts, state: row.state, closedAt, closedBy: there(row.closedBy), reason: there(row.closedReason) };
    case 'withdrawn':
      return { ...facts, state: row.state, closedAt, closedBy: there(row.closedBy) };
    case 'expired':
      return { ...facts, state: row.state, closedAt };
    case 'voided':
      return { ...facts, state: row.state, closedAt, reason: there(row.closedReason) };
  }
}
