import type { TenantId, Tx } from '#lib/kernel';
import { FakeRefusal } from '../../../../foundation/kernel/src/fake-refusal.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { checkTenant, type Tenant } from '../domain/environment.js';
import type { TenantRepository } from './tenancy.ports.js';

/** Slugs are unique over all tenants, so one table holds them all. */
const ALL = { tenantId: 'all' as TenantId };

/** Keeps tenants in memory. */
export class FakeTenantRepository implements TenantRepository {
  readonly #tenants: FakeTable<Tenant>;

  constructor(database: FakeUnitOfWork) {
    this.#tenants = new FakeTable(database);
  }

  /** Every tenant, the oldest first. */
  get all(): readonly Tenant[] {
    return [...this.#tenants.of(ALL).values()];
  }

  insert(_tx: Tx, tenant: Tenant): Promise<boolean> {
    if (!checkTenant(tenant).ok) return Promise.reject(new FakeRefusal('23514', 'tenant_slug_check'));
    if (this.all.some(({ slug }) => slug === tenant.slug)) return Promise.resolve(false);
    if (this.all.some(({ id }) => id === tenant.id)) return Promise.reject(new FakeRefusal('23505', 'tenant_pk'));
    this.#tenants.of(ALL).set(tenant.id, tenant);
    return Promise.resolve(true);
  }

  find({ tenantId }: Tx): Promise<Tenant | null> {
    return Promise.resolve(this.#tenants.of(ALL).get(tenantId) ?? null);
  }
}
