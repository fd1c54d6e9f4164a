import { sqlOf } from '#lib/database';
import { agentEntity } from '#lib/identity';
import type { Tx } from '#lib/kernel';
import type { AgentNames } from '../application/impact.ports.js';

const AGENT = agentEntity.as('agent');

const NAMED = agentEntity.pick('id', 'name');

/** Agents in PostgreSQL. */
export class SqlAgentNames implements AgentNames {
  async names(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) return new Map();
    // Not by `rowsOf`: an id of an input may be no UUID.
    const rows = await sqlOf(tx).query<object>(
      `select ${NAMED.columns('agent')} from agent where tenant_id = $1 and ${AGENT.id}::text = any ($2::text[])`,
      [tx.tenantId, ids],
    );
    return new Map(rows.map((row) => NAMED.row(row)).map(({ id, name }) => [id, name]));
  }
}
