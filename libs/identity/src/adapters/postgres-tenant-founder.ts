import { sqlOf } from '#lib/database';
import { err, newId, ok, type EnvironmentId, type Failure, type Result, type Tx } from '#lib/kernel';
import type { TenantFounder } from '../application/identity.ports.js';

const environments = [
  { name: 'production', production: true },
  { name: 'staging', production: false },
  { name: 'development', production: false },
];

export class PostgresTenantFounder implements TenantFounder {
  async found(tx: Tx, tenant: { slug: string; name: string }): Promise<Result<void>> {
    const sql = sqlOf(tx);
    const founded = await sql.execute(
      'insert into tenant (id, slug, name, created_at) values ($1, $2, $3, clock_timestamp()) on conflict (slug) do nothing',
      [tx.tenantId, tenant.slug, tenant.name],
    );
    if (founded === 0) return err(slugTaken);
    await sql.execute(
      `insert into environment (tenant_id, id, name, production, version, created_at, updated_at)
       select $1, wanted.id, wanted.name, wanted.production, 1, clock.now, clock.now
         from unnest($2::uuid[], $3::text[], $4::boolean[]) as wanted (id, name, production), (select clock_timestamp() as now) clock`,
      [
        tx.tenantId,
        environments.map(() => newId<EnvironmentId>()),
        environments.map(({ name }) => name),
        environments.map(({ production }) => production),
      ],
    );
    return ok(undefined);
  }
}

const slugTaken: Failure = {
  kind: 'conflict',
  code: 'tenancy.slug_taken',
  message: 'A tenant has this slug.',
  action: 'Choose another; the bootstrap token is still good.',
  errors: [{ pointer: '/tenant/slug', code: 'tenancy.slug_taken', message: 'is taken' }],
};
