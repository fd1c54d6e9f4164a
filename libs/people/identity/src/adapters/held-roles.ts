import { z } from 'zod';
import { parsedValue } from '#lib/database';
import type { HeldRole, PersonId, RowSeals, TenantId } from '#lib/kernel';
import { countingRoles } from '../domain/person.js';
import { personEntity } from './identity.entity.js';
import { authenticRoles } from './sealed-role-assignments.js';

const PERSON = personEntity.pick('id', 'disabledAt', 'enrolledAt');

const withRoles = z.looseObject({ roles: z.unknown() });

/** A person, with the roles that count in a decision now. */
export interface RoleHolder {
  readonly personId: PersonId;
  readonly disabled: boolean;
  readonly roles: readonly HeldRole[];
}

/**
 * The people in the answer of a function of a later library. Each is a document of the columns `id`, `disabled_at` and `enrolled_at`,
 * with a list `roles` of the held role assignments. A role that Countersign did not assign is reported, and counts for nothing.
 */
export async function roleHoldersIn(
  seals: RowSeals,
  tenantId: TenantId,
  documents: readonly unknown[],
): Promise<ReadonlyMap<PersonId, RoleHolder>> {
  const holders = new Map<PersonId, RoleHolder>();
  for (const document of documents) {
    const { roles } = parsedValue(withRoles, document, { table: 'person' });
    const { id: personId, disabledAt, enrolledAt } = PERSON.parse(document);
    const held = await authenticRoles(seals, tenantId, personId, roles);
    holders.set(personId, { personId, disabled: disabledAt !== null, roles: countingRoles(held, enrolledAt) });
  }
  return holders;
}
