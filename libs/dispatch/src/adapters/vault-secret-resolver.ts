import { FailureError, type TenantId, type UnitOfWork } from '#lib/kernel';
import type { SecretVault } from '#lib/tenancy';
import type { SecretResolver } from './http-tool-dispatcher.js';

/** Reads a tenant's secrets from its vault. */
export class VaultSecretResolver implements SecretResolver {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly vault: SecretVault,
  ) {}

  async resolveAll(tenantId: TenantId, references: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (references.length === 0) return new Map();
    return this.unitOfWork.run(tenantId, async (tx) => {
      const values = new Map<string, string>();
      for (const reference of references) {
        const resolved = await this.vault.resolve(tx, reference);
        if (!resolved.ok) throw new FailureError(resolved.error);
        values.set(reference, resolved.value);
      }
      return values;
    });
  }
}
