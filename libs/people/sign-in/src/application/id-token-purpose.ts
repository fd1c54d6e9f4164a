import type { TenantId } from '#lib/kernel';

/** What an ID token is encrypted for; authenticated with it. */
export const idTokenPurpose = (tenantId: TenantId): string => `sign-in:id-token:${tenantId}`;
