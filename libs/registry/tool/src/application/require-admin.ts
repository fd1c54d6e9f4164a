import { PLATFORM_ADMIN } from '#lib/formats';
import { err, ok, type PersonPrincipal, type Principal, type Result } from '#lib/kernel';

/**
 * Only a person who is a PlatformAdmin, with a credential of scope admin, changes the guardrails. The same codes
 * as the API's guard, which has asked before: `credential.person_required`, `credential.scope_missing`,
 * `identity.role_required`.
 */
export function requireAdmin(principal: Principal): Result<PersonPrincipal> {
  if (principal.kind !== 'person') {
    return err({
      kind: 'forbidden',
      code: 'credential.person_required',
      message: 'Only a person may do this.',
      action: `Ask a ${PLATFORM_ADMIN} to make the change.`,
    });
  }
  if (!principal.scopes.includes('admin')) {
    return err({
      kind: 'forbidden',
      code: 'credential.scope_missing',
      message: 'This credential does not hold the scope "admin".',
      action: 'Use a credential that was issued with it.',
    });
  }
  if (!principal.roles.some(({ role }) => role === PLATFORM_ADMIN)) {
    return err({
      kind: 'forbidden',
      code: 'identity.role_required',
      message: `This takes the role ${PLATFORM_ADMIN}.`,
      action: 'Ask somebody who holds it.',
    });
  }
  return ok(principal);
}
