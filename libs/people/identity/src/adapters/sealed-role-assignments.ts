import { z } from 'zod';
import { parsedValue } from '#lib/database';
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

const rowsSchema: z.ZodType<readonly RoleAssignmentRow[]> = z.array(
  z.object({
    id: z.string(),
    role: z.string(),
    assigned_at: z.number(),
    assigned_by: z
      .string()
      .transform((id) => id as PersonId)
      .nullable(),
    assigned_by_issuer: z.string().nullable(),
    seal: z.string(),
  }),
);

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
export async function authenticRoles(
  seals: RowSeals,
  tenantId: TenantId,
  personId: PersonId,
  stored: unknown,
): Promise<readonly RoleAssignmentRow[]> {
  const roles: RoleAssignmentRow[] = [];
  for (const row of parsedValue(rowsSchema, stored, { question: 'the role assignments of a person', id: personId }))
    if (await seals.holds(sealedRoleAssignment(tenantId, personId, row), row.seal)) roles.push(row);
  return roles;
}
