import { sqlOf } from '#lib/database';
import type { PageRequest, PersonId, RowSeals, SealedRow, Tx } from '#lib/kernel';
import type { AbsenceRepository } from '../application/approval.ports.js';
import type { Absence } from '../domain/absence.js';

interface AbsenceRow {
  readonly id: string;
  readonly person_id: PersonId;
  readonly delegate_id: PersonId;
  readonly roles: readonly string[];
  readonly from_at: Date;
  readonly until_at: Date;
  readonly created_at: Date;
  readonly ended_at: Date | null;
  readonly ended_by: PersonId | null;
  readonly seal: string;
}

const ABSENCE = `select id, person_id, delegate_id, roles, from_at, until_at, created_at, ended_at, ended_by, seal from absence
  where tenant_id = $1`;

/** All of an absence but its early end, which the database never lets be taken back. */
const sealedAbsence = (tx: Pick<Tx, 'tenantId'>, absence: Absence): SealedRow => ({
  table: 'absence',
  tenantId: tx.tenantId,
  id: absence.id,
  columns: {
    person_id: absence.personId,
    delegate_id: absence.delegateId,
    roles: [...absence.roles],
    from_at: absence.from,
    until_at: absence.until,
    created_at: absence.createdAt,
  },
});

const absenceOf = (row: AbsenceRow): Absence => ({
  id: row.id,
  personId: row.person_id,
  delegateId: row.delegate_id,
  roles: row.roles,
  from: row.from_at.getTime(),
  until: row.until_at.getTime(),
  createdAt: row.created_at.getTime(),
  endedAt: row.ended_at?.getTime() ?? null,
  endedBy: row.ended_by,
});

/** Absences in PostgreSQL, table absence. */
export class SqlAbsences implements AbsenceRepository {
  constructor(private readonly seals: RowSeals) {}

  async insert(tx: Tx, absence: Absence): Promise<void> {
    await sqlOf(tx).execute(
      `insert into absence (tenant_id, id, person_id, delegate_id, roles, from_at, until_at, created_at, seal)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        tx.tenantId,
        absence.id,
        absence.personId,
        absence.delegateId,
        absence.roles,
        new Date(absence.from),
        new Date(absence.until),
        new Date(absence.createdAt),
        await this.seals.seal(sealedAbsence(tx, absence)),
      ],
    );
  }

  async lock(tx: Tx, id: string): Promise<Absence | null> {
    const [row] = await sqlOf(tx).query<AbsenceRow>(`${ABSENCE} and id = $2 for update`, [tx.tenantId, id]);
    return row === undefined ? null : absenceOf(row);
  }

  async end(tx: Tx, id: string, { at, by }: { readonly at: number; readonly by: PersonId }): Promise<void> {
    await sqlOf(tx).execute(
      'update absence set ended_at = $3, ended_by = $4 where tenant_id = $1 and id = $2 and ended_at is null',
      [tx.tenantId, id, new Date(at), by],
    );
  }

  async list(tx: Tx, page: PageRequest): Promise<readonly Absence[]> {
    const rows = await sqlOf(tx).query<AbsenceRow>(
      `${ABSENCE} and ($2::timestamptz is null or (created_at, id) < ($2, $3::uuid))
       order by created_at desc, id desc limit $4`,
      [tx.tenantId, page.after === null ? null : new Date(page.after.at), page.after?.id ?? null, page.limit],
    );
    return rows.map(absenceOf);
  }

  async handedTo(tx: Tx, delegates: readonly PersonId[]): Promise<readonly Absence[]> {
    const rows = await sqlOf(tx).query<AbsenceRow>(
      `${ABSENCE} and delegate_id = any ($2::uuid[]) and ended_at is null order by created_at, id`,
      [tx.tenantId, delegates],
    );
    const authentic: Absence[] = [];
    for (const row of rows) {
      const absence = absenceOf(row);
      if (await this.seals.holds(sealedAbsence(tx, absence), row.seal)) authentic.push(absence);
    }
    return authentic;
  }
}
