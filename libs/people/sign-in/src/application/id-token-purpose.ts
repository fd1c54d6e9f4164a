import type { TenantId } from '#lib/kernel';

/** The purpose that an ID token is encrypted for; authenticated with it. */
export const idTokenPurpose = (tenantId: TenantId): string => `sign-in:id-token:${tenantId}`;
