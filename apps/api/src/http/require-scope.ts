import { FailureError, type Principal, type Scope } from '#lib/kernel';
import { scopeMissing } from './scope-missing.js';

/** @throws {FailureError} `credential.scope_missing`. */
export function requireScope(principal: Principal, scope: Scope): void {
  if (principal.kind !== 'system' && principal.scopes.includes(scope)) return;
  throw new FailureError(scopeMissing(principal, scope));
}
