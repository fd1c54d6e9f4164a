import { err, ok, type PersonPrincipal, type Principal, type Result } from '#lib/kernel';

/** The role that changes what tools are and where they run. */
export const REGISTRY_ROLE = 'PlatformAdmin';

/** Only a person who is a PlatformAdmin, with a credential of scope admin, changes the registry. */
export function requireAdmin(principal: Principal): Result<PersonPrincipal> {
  if (principal.kind !== 'person') {
    return err({
      kind: 'forbidden',
      code: 'tool.person_required',
      message: 'Only people change which tools there are.',
      action: `Ask a ${REGISTRY_ROLE} to make the change.`,
    });
  }
  if (!principal.scopes.includes('admin')) {
    return err({
      kind: 'forbidden',
      code: 'tool.scope_required',
      message: 'This credential has not the scope admin.',
      action: 'Use a token that was minted with the scope admin.',
    });
  }
  if (!principal.roles.some(({ role }) => role === REGISTRY_ROLE)) {
    return err({
      kind: 'forbidden',
      code: 'tool.role_required',
      message: `Only a ${REGISTRY_ROLE} changes which tools there are.`,
      action: `Ask a ${REGISTRY_ROLE} to make the change, or to grant you the role.`,
    });
  }
  return ok(principal);
}
