import type { TenantId } from '#lib/kernel';
import type { SecretUse } from '#lib/tenancy';

/** A secret that a call needs, and where its value would go. */
export interface WantedSecret {
  readonly reference: string;
  readonly use: SecretUse;
}

/** Finds secrets' values; rejects with a FailureError if one is missing, or is not bound to where it would go. */
export interface SecretResolver {
  resolveAll(tenantId: TenantId, wanted: readonly WantedSecret[]): Promise<ReadonlyMap<string, string>>;
}
