import type { PersonPrincipal } from '#lib/kernel';

/** The answer of the SQL function `person_signed_in_at`, as the driver reads it. */
export type StoredSignIn = Date | number | null;

/** A last sign-in as a principal has it; minus infinity, the only number that the function gives, is `never`. */
export function signedInAtOf(stored: StoredSignIn): PersonPrincipal['signedInAt'] {
  return typeof stored === 'number' ? 'never' : (stored?.getTime() ?? null);
}
