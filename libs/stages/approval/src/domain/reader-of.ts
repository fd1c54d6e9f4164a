import type { CredentialId, PersonId, PersonPrincipal, Scope, TenantId } from '#lib/kernel';

/** The credential of people who are only asked about, not signed in: no credential has this id. */
export const NO_CREDENTIAL = '00000000-0000-7000-8000-000000000000' as CredentialId;

/**
 * A person as the reads and policies of others see them. They act as in a browser, which no rule refuses. They hold no
 * role here: each read looks roles up itself.
 */
export const readerOf = (tenantId: TenantId, personId: PersonId, scope: Scope): PersonPrincipal => ({
  kind: 'person',
  tenantId,
  personId,
  displayName: '',
  roles: [],
  credentialId: NO_CREDENTIAL,
  credentialKind: 'browser_session',
  scopes: [scope],
  signedInAt: null,
});
