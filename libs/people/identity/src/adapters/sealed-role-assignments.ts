import type { PersonId, RowSeals, SealedRow, TenantId } from '#lib/kernel';

/** A role that is held, as the database gives it: with its seal. `assigned_at` is epoch milliseconds. */
export interface RoleAssignmentRow {
  readonly id: string;
  readonly role: string;
  readonly assigned_at: number;
  readonly assigned_by: PersonId | null;
  readonly assigned_by_issuer: string | null;
  readonly seal: string;
}

/** All of a role assignment but its end, which the database never lets be taken back. */
export const sealedRoleAssignment = (
  tenantId: TenantId,
  personId: PersonId,
  { id, role, assigned_at, assigned_by, assigned_by_issuer }: Omit<RoleAssignmentRow, 'seal'>,
): SealedRow => ({
  table: 'role_assignment',
  tenantId,
  id,
  columns: { person_id: personId, role, assigned_at, assigned_by, assigned_by_issuer },
});

/** The roles that Countersign assigned; one that it did not is reported, and counts for nothing. */
export async function authenticRoles<Row extends RoleAssignmentRow>(
  seals: RowSeals,
  tenantId: TenantId,
  personId: PersonId,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  const roles: Row[] = [];
  for (const row of rows)
    if (await seals.holds(sealedRoleAssignment(tenantId, personId, row), row.seal)) roles.push(row);
  return roles;
}
