import type { DataSource } from 'typeorm';
import type { TenantId } from '#lib/kernel';

import type { SystemQuery, TenantRow } from '../application/database.ports.js';
import { asSqlError } from './sql.js';

const plainName = /^[a-z][a-z0-9_]*$/;

/** Outside any tenant: row-level security shows nothing here but what a SECURITY DEFINER function returns. */
export class TypeormSystemQuery implements SystemQuery {
  constructor(private readonly dataSource: DataSource) {}

  async call(functionName: string, ...parameters: readonly unknown[]): Promise<readonly TenantRow[]> {
    if (!plainName.test(functionName)) throw new Error(`"${functionName}" is not the name of a function.`);
    const places = parameters.map((_, index) => `$${String(index + 1)}`).join(', ');
    try {
      const rows = await this.dataSource.query<{ tenant_id: TenantId; id: string }[]>(
        `select tenant_id, id from ${functionName}(${places})`,
        [...parameters],
      );
      return rows.map((row) => ({ tenantId: row.tenant_id, id: row.id }));
    } catch (error) {
      throw asSqlError(error);
    }
  }
}
