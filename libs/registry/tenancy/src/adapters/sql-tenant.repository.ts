import { sqlOf } from '#lib/database';
import type { TenantId, Tx } from '#lib/kernel';
import type { TenantRepository } from '../application/tenancy.ports.js';
import type { Tenant } from '../domain/environment.js';

interface TenantRow {
  readonly id: TenantId;
  readonly slug: string;
  readonly name: string;
  readonly created_at: Date;
}

export class SqlTenantRepository implements TenantRepository {
  async insert(tx: Tx, tenant: Tenant): Promise<boolean> {
    const inserted = await sqlOf(tx).execute(
      'insert into tenant (id, slug, name, created_at) values ($1, $2, $3, $4) on conflict (slug) do nothing',
      [tenant.id, tenant.slug, tenant.name, new Date(tenant.createdAt)],
    );
    return inserted === 1;
  }

  async find(tx: Tx): Promise<Tenant | undefined> {
    const [row] = await sqlOf(tx).query<TenantRow>('select id, slug, name, created_at from tenant where id = $1', [
      tx.tenantId,
    ]);
    return row && { id: row.id, slug: row.slug, name: row.name, createdAt: row.created_at.getTime() };
  }
}
