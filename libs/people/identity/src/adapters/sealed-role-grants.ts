import type { PersonId, RowSeals, SealedRow, TenantId } from '#lib/kernel';

/** A role that is held, as the database gives it: with its seal. `granted_at` is epoch milliseconds. */
export interface RoleGrantRow {
  readonly id: string;
  readonly role: string;
  readonly granted_at: number;
  readonly granted_by: PersonId | null;
  readonly granted_by_issuer: string | null;
  readonly seal: string;
}

/** All of a role grant but its end, which the database never lets be taken back. */
export const sealedRoleGrant = (
  tenantId: TenantId,
  personId: PersonId,
  { id, role, granted_at, granted_by, granted_by_issuer }: Omit<RoleGrantRow, 'seal'>,
): SealedRow => ({
  table: 'role_grant',
  tenantId,
  id,
  columns: { person_id: personId, role, granted_at, granted_by, granted_by_issuer },
});

/** The roles that Countersign granted; one that it did not is reported, and counts for nothing. */
export async function authenticRoles<Row extends RoleGrantRow>(
  seals: RowSeals,
  tenantId: TenantId,
  personId: PersonId,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  const roles: Row[] = [];
  for (const row of rows) if (await seals.holds(sealedRoleGrant(tenantId, personId, row), row.seal)) roles.push(row);
  return roles;
}
