import type { RowOf } from '#lib/database';
import type { RowSeals, SealedRow, Tx } from '#lib/kernel';
import type { Absence } from '../domain/absence.js';
import type { absenceEntity } from './approval.entity.js';

type AbsenceRow = RowOf<typeof absenceEntity>;

/** All of an absence but its early end, which the database never lets be taken back. */
export const sealedAbsence = (tx: Pick<Tx, 'tenantId'>, absence: Absence): SealedRow => ({
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

export const absenceOf = ({ fromAt: from, untilAt: until, seal: _, ...absence }: AbsenceRow): Absence => ({
  ...absence,
  from,
  until,
});

/** The absences among these that Countersign wrote. */
export async function authenticAbsences(
  seals: RowSeals,
  tx: Tx,
  rows: readonly AbsenceRow[],
): Promise<readonly Absence[]> {
  const authentic: Absence[] = [];
  for (const row of rows) {
    const absence = absenceOf(row);
    if (await seals.holds(sealedAbsence(tx, absence), row.seal)) authentic.push(absence);
  }
  return authentic;
}
