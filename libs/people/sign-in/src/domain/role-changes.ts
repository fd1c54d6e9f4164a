import type { RoleGrant } from '#lib/identity';
import type { IssuerDescription } from './issuer.js';

/** The roles that an issuer's claims give, each once, in the order of the mappings. */
export const mappedRoles = (issuer: Pick<IssuerDescription, 'roleMappings'>, groups: readonly string[]): string[] => [
  ...new Set(issuer.roleMappings.filter(({ value }) => groups.includes(value)).map(({ role }) => role)),
];

/**
 * What a sign-in changes about somebody's roles. A role that is held already keeps its beginning, whoever gave it, so that
 * signing in again neither gains nor loses a vote (T03); only what this issuer gave is taken away by it.
 */
export function roleChanges(
  held: readonly RoleGrant[],
  wanted: readonly string[],
  issuerId: string,
): { readonly grant: readonly string[]; readonly revoke: readonly string[] } {
  return {
    grant: wanted.filter((role) => !held.some((one) => one.role === role)),
    revoke: held
      .filter(({ role, grantedByIssuer }) => grantedByIssuer === issuerId && !wanted.includes(role))
      .map(({ role }) => role),
  };
}
