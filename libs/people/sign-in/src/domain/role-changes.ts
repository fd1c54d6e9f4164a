import type { RoleAssignment } from '#lib/identity';
import type { IssuerDescription } from './issuer.js';

/** The roles that an issuer's claims give, each once, in the order of the mappings. */
export const mappedRoles = (issuer: Pick<IssuerDescription, 'roleMappings'>, groups: readonly string[]): string[] => [
  ...new Set(issuer.roleMappings.filter(({ value }) => groups.includes(value)).map(({ role }) => role)),
];

/**
 * The changes of a person's roles by a sign-in. A role that is held already keeps its beginning and its source. So
 * signing in again neither gains nor loses a vote (T03). An issuer takes away only roles that it gave.
 */
export function roleChanges(
  held: readonly RoleAssignment[],
  wanted: readonly string[],
  issuerId: string,
): { readonly assign: readonly string[]; readonly revoke: readonly string[] } {
  return {
    assign: wanted.filter((role) => !held.some((one) => one.role === role)),
    revoke: held
      .filter(({ role, assignedByIssuer }) => assignedByIssuer === issuerId && !wanted.includes(role))
      .map(({ role }) => role),
  };
}
