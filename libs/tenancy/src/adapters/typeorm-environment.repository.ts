import { sqlOf } from '#lib/database';
import type { EnvironmentId, Tx } from '#lib/kernel';
import type { EnvironmentRepository } from '../application/tenancy.ports.js';
import type { Environment } from '../domain/environment.js';

interface EnvironmentRow {
  readonly id: EnvironmentId;
  readonly name: string;
  readonly production: boolean;
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const select = 'select id, name, production, version, created_at, updated_at from environment where tenant_id = $1';

export class TypeormEnvironmentRepository implements EnvironmentRepository {
  async insert(tx: Tx, environment: Environment): Promise<boolean> {
    const inserted = await sqlOf(tx).execute(
      `insert into environment (tenant_id, id, name, production, version, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7) on conflict (tenant_id, name) do nothing`,
      [
        tx.tenantId,
        environment.id,
        environment.name,
        environment.production,
        environment.version,
        new Date(environment.createdAt),
        new Date(environment.updatedAt),
      ],
    );
    return inserted === 1;
  }

  async byId(tx: Tx, id: EnvironmentId): Promise<Environment | undefined> {
    return one(tx, `${select} and id = $2`, id);
  }

  async byName(tx: Tx, name: string): Promise<Environment | undefined> {
    return one(tx, `${select} and name = $2`, name);
  }

  async lock(tx: Tx, id: EnvironmentId): Promise<Environment | undefined> {
    return one(tx, `${select} and id = $2 for update`, id);
  }

  async save(tx: Tx, environment: Environment): Promise<void> {
    await sqlOf(tx).execute(
      'update environment set production = $3, version = $4, updated_at = $5 where tenant_id = $1 and id = $2',
      [tx.tenantId, environment.id, environment.production, environment.version, new Date(environment.updatedAt)],
    );
  }

  async list(
    tx: Tx,
    page: { readonly limit: number; readonly afterName: string | null },
  ): Promise<readonly Environment[]> {
    const rows = await sqlOf(tx).query<EnvironmentRow>(
      `${select} and ($2::text is null or name > $2) order by name limit $3`,
      [tx.tenantId, page.afterName, page.limit],
    );
    return rows.map(toEnvironment);
  }

  async names(tx: Tx): Promise<readonly string[]> {
    const rows = await sqlOf(tx).query<{ name: string }>(
      'select name from environment where tenant_id = $1 order by name',
      [tx.tenantId],
    );
    return rows.map((row) => row.name);
  }
}

async function one(tx: Tx, text: string, value: string): Promise<Environment | undefined> {
  const [row] = await sqlOf(tx).query<EnvironmentRow>(text, [tx.tenantId, value]);
  return row && toEnvironment(row);
}

const toEnvironment = (row: EnvironmentRow): Environment => ({
  id: row.id,
  name: row.name,
  production: row.production,
  version: row.version,
  createdAt: row.created_at.getTime(),
  updatedAt: row.updated_at.getTime(),
});
