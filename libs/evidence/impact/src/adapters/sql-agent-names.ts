import { sqlOf } from '#lib/database';
import type { Tx } from '#lib/kernel';
import type { AgentNames } from '../application/impact.ports.js';

/** Agents in PostgreSQL. */
export class SqlAgentNames implements AgentNames {
  async names(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) return new Map();
    const rows = await sqlOf(tx).query<{ readonly id: string; readonly name: string }>(
      'select id::text as id, name from agent where tenant_id = $1 and id::text = any ($2::text[])',
      [tx.tenantId, ids],
    );
    return new Map(rows.map(({ id, name }) => [id, name]));
  }
}
