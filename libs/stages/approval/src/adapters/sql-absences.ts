import { In, IsNull } from 'typeorm';
import { rowsOf, sqlOf } from '#lib/database';
import type { PageRequest, PersonId, RowSeals, Tx } from '#lib/kernel';
import type { AbsenceRepository } from '../application/approval.ports.js';
import type { Absence } from '../domain/absence.js';
import { absenceOf, authenticAbsences, sealedAbsence } from './absence-rows.js';
import { absenceEntity } from './approval.entity.js';

const ABSENCE = absenceEntity.as('absence');

const ABSENCE_ROW = absenceEntity.all;

/** Absences in PostgreSQL. */
export class SqlAbsences implements AbsenceRepository {
  constructor(private readonly seals: RowSeals) {}

  async insert(tx: Tx, absence: Absence): Promise<void> {
    const seal = await this.seals.seal(sealedAbsence(tx, absence));
    await rowsOf(tx, absenceEntity).insert({ ...absence, fromAt: absence.from, untilAt: absence.until, seal });
  }

  async lock(tx: Tx, id: string): Promise<Absence | null> {
    const row = await rowsOf(tx, absenceEntity).findOne({ id }, { lock: 'update' });
    return row === null ? null : absenceOf(row);
  }

  async end(tx: Tx, id: string, { at, by }: { readonly at: number; readonly by: PersonId }): Promise<void> {
    await rowsOf(tx, absenceEntity).update({ id, endedAt: IsNull() }, { endedAt: at, endedBy: by });
  }

  async list(tx: Tx, page: PageRequest): Promise<readonly Absence[]> {
    const rows = await sqlOf(tx).query<object>(
      `select ${ABSENCE_ROW.columns('absence')} from absence
        where tenant_id = $1 and ($2::timestamptz is null or (${ABSENCE.createdAt}, ${ABSENCE.id}) < ($2, $3::uuid))
        order by ${ABSENCE.createdAt} desc, ${ABSENCE.id} desc limit $4`,
      [tx.tenantId, page.after === null ? null : new Date(page.after.at), page.after?.id ?? null, page.limit],
    );
    return rows.map((row) => absenceOf(ABSENCE_ROW.row(row)));
  }

  async handedTo(tx: Tx, delegates: readonly PersonId[]): Promise<readonly Absence[]> {
    const standing = { delegateId: In([...delegates]), endedAt: IsNull() };
    const rows = await rowsOf(tx, absenceEntity).find(standing, { order: { createdAt: 'asc', id: 'asc' } });
    return authenticAbsences(this.seals, tx, rows);
  }
}
