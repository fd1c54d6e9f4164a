import { PLATFORM_ADMIN } from '#lib/formats';
import type { PersonPrincipal } from '#lib/kernel';
import type { CredentialsSeenBy } from './identity.ports.js';

/** Whether the caller administers, with the role as with the credential in use. */
export const isAdmin = (by: PersonPrincipal): boolean =>
  by.scopes.includes('admin') && by.roles.some(({ role }) => role === PLATFORM_ADMIN);

/** Which credentials the caller may see and revoke. */
export const seenBy = (by: PersonPrincipal): CredentialsSeenBy => ({ personId: by.personId, all: isAdmin(by) });
