import { z } from 'zod';
import type { ChangeSeen } from '#lib/change-request';

const role = z.string();
const payload = z.object({
  role: role.optional(),
  roles: z.array(role).optional(),
  issuers: z.array(z.object({ role_mappings: z.array(z.object({ role })).optional() })).optional(),
});

/** The roles that an open change would assign. */
export function rolesOfChange({
  state,
  payload: stored,
}: Pick<ChangeSeen['change'], 'state' | 'payload'>): readonly string[] {
  if (state !== 'open') return [];
  const read = payload.safeParse(stored);
  if (!read.success) return [];
  const { role: one, roles = [], issuers = [] } = read.data;
  return [
    ...(one === undefined ? [] : [one]),
    ...roles,
    ...issuers.flatMap(({ role_mappings: mappings = [] }) => mappings.map((mapping) => mapping.role)),
  ];
}
