import type { TenantId } from '#lib/kernel';
import type { FakeTenantRepository } from '../../../../registry/tenancy/src/application/fake-tenant.repository.js';
import type { TenantDirectory } from './sign-in.ports.js';

/** Finds tenants in memory. */
export class FakeTenantDirectory implements TenantDirectory {
  constructor(private readonly tenants: Pick<FakeTenantRepository, 'all'>) {}

  bySlug(slug: string): Promise<TenantId | null> {
    return Promise.resolve(this.tenants.all.find((tenant) => tenant.slug === slug)?.id ?? null);
  }

  any(): Promise<boolean> {
    return Promise.resolve(this.tenants.all.length > 0);
  }

  only(): Promise<TenantId | null> {
    const [tenant, another] = this.tenants.all;
    return Promise.resolve(another === undefined ? (tenant?.id ?? null) : null);
  }
}
