import { FailureError, type TenantId, type UnitOfWork } from '#lib/kernel';
import type { SecretVault } from '#lib/tenancy';
import type { SecretResolver, WantedSecret } from '../application/secret-resolver.port.js';

/** Reads a tenant's secrets from its vault. */
export class VaultSecretResolver implements SecretResolver {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly vault: SecretVault,
  ) {}

  async resolveAll(tenantId: TenantId, wanted: readonly WantedSecret[]): Promise<ReadonlyMap<string, string>> {
    if (wanted.length === 0) return new Map();
    return this.uow.run(tenantId, async (tx) => {
      const values = new Map<string, string>();
      for (const { reference, use } of wanted) {
        const resolved = await this.vault.resolve(tx, reference, use);
        if (!resolved.ok) throw new FailureError(resolved.error);
        values.set(reference, resolved.value);
      }
      return values;
    });
  }
}
