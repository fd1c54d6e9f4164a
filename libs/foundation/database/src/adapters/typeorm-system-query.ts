import type { DataSource } from 'typeorm';
import type { TenantId } from '#lib/kernel';

import type { SystemQuery, TenantRow, Unread } from '../application/database.ports.js';
import { PreparedStatements } from './prepared-statements.js';
import { connectionOf, runStatement } from './sql.js';

const plainName = /^[a-z][a-z0-9_]*$/;

/** Queries outside any tenant: row-level security shows only the rows of functions that find their tenant themselves. */
export class TypeormSystemQuery implements SystemQuery {
  constructor(
    private readonly dataSource: DataSource,
    private readonly held: () => ReadonlySet<TenantId> = () => new Set(),
    private readonly prepared = new PreparedStatements(),
  ) {}

  async call(functionName: string, ...parameters: readonly unknown[]): Promise<readonly TenantRow[]> {
    const rows = await this.#select<{ tenant_id: TenantId; id: string }>('tenant_id, id', functionName, parameters);
    return rows.map((row) => ({ tenantId: row.tenant_id, id: row.id }));
  }

  async work(functionName: string, ...parameters: readonly unknown[]): Promise<readonly TenantRow[]> {
    const held = this.held();
    return (await this.call(functionName, ...parameters)).filter(({ tenantId }) => !held.has(tenantId));
  }

  read<Row extends Unread<Row>>(functionName: string, ...parameters: readonly unknown[]): Promise<readonly Row[]> {
    return this.#select<Row>('*', functionName, parameters);
  }

  async #select<Row>(columns: string, functionName: string, parameters: readonly unknown[]): Promise<readonly Row[]> {
    if (!plainName.test(functionName)) throw new Error(`"${functionName}" is not the name of a function.`);
    const placeholders = parameters.map((_, index) => `$${String(index + 1)}`).join(', ');
    const runner = this.dataSource.createQueryRunner();
    try {
      const text = `select ${columns} from ${functionName}(${placeholders})`;
      const { rows } = await runStatement(await connectionOf(runner), text, parameters, this.prepared);
      // The caller states the columns of the function.
      return rows as Row[];
    } finally {
      await runner.release();
    }
  }
}
