import { z } from 'zod';
import { parsedValue } from '#lib/database';
import type { PersonId, RowSeals, SealedRow, TenantId } from '#lib/kernel';
import { roleAssignmentEntity } from './identity.entity.js';

/** A role that is held, with its seal. */
export const HELD_ROLE = roleAssignmentEntity.pick(
  'id',
  'role',
  'assignedAt',
  'assignedBy',
  'assignedByIssuer',
  'seal',
);

export type HeldRoleRow = NonNullable<typeof HELD_ROLE.holds>;

const documentsSchema = z.array(z.unknown());

/** All of a role assignment but its end, which the database never lets be taken back. */
export const sealedRoleAssignment = (
  tenantId: TenantId,
  personId: PersonId,
  { id, role, assignedAt, assignedBy, assignedByIssuer }: Omit<HeldRoleRow, 'seal'>,
): SealedRow => ({
  table: 'role_assignment',
  tenantId,
  id,
  columns: {
    person_id: personId,
    role,
    assigned_at: assignedAt,
    assigned_by: assignedBy,
    assigned_by_issuer: assignedByIssuer,
  },
});

/**
 * The roles that Countersign assigned; one that it did not is reported, and counts for nothing.
 *
 * @param stored a list of documents with the columns of {@link HELD_ROLE}.
 */
export async function authenticRoles(
  seals: RowSeals,
  tenantId: TenantId,
  personId: PersonId,
  stored: unknown,
): Promise<readonly HeldRoleRow[]> {
  const question = 'the role assignments of a person';
  const roles: HeldRoleRow[] = [];
  for (const row of parsedValue(documentsSchema, stored, { question, id: personId }).map((one) => HELD_ROLE.parse(one)))
    if (await seals.holds(sealedRoleAssignment(tenantId, personId, row), row.seal)) roles.push(row);
  return roles;
}
