import { err, newId, ok, type EnvironmentId, type Result, type Tx } from '#lib/kernel';
import { checkTenant, INITIAL_ENVIRONMENTS } from '../domain/environment.js';
import type { EnvironmentRepository, TenantRepository } from './tenancy.ports.js';

/**
 * Makes the tenant that the transaction belongs to, with the environments every tenant begins with. Part of the
 * transaction that also makes its first admin and records both.
 */
export class FoundTenant {
  constructor(
    private readonly tenants: TenantRepository,
    private readonly environments: EnvironmentRepository,
  ) {}

  /** `tenancy.invalid_tenant`, or `tenancy.slug_taken`. */
  async found(tx: Tx, tenant: { readonly slug: string; readonly name: string }): Promise<Result<void>> {
    const checked = checkTenant(tenant);
    if (!checked.ok) return checked;
    const now = await tx.now();
    if (!(await this.tenants.insert(tx, { id: tx.tenantId, ...tenant, createdAt: now }))) {
      return err({
        kind: 'conflict',
        code: 'tenancy.slug_taken',
        message: 'There is a tenant with this slug.',
        action: 'Choose another slug.',
      });
    }
    for (const initial of INITIAL_ENVIRONMENTS) {
      await this.environments.insert(tx, {
        ...initial,
        id: newId<EnvironmentId>(),
        version: 1,
        createdAt: now,
        updatedAt: now,
      });
    }
    return ok(undefined);
  }
}
