import { rowsOf } from '#lib/database';
import type { Tx } from '#lib/kernel';
import type { TenantRepository } from '../application/tenancy.ports.js';
import type { Tenant } from '../domain/environment.js';
import { tenantEntity } from './tenancy.entity.js';

/** Tenants in PostgreSQL. */
export class TypeormTenantRepository implements TenantRepository {
  insert(tx: Tx, tenant: Tenant): Promise<boolean> {
    return rowsOf(tx, tenantEntity).insertUnless(['slug'], tenant);
  }

  find(tx: Tx): Promise<Tenant | null> {
    return rowsOf(tx, tenantEntity).findOne({ id: tx.tenantId });
  }
}
