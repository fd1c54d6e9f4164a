import { DATABASE_CLOCK, rowsOf, sqlOf } from '#lib/database';
import type { AgentId, Tx } from '#lib/kernel';
import type { AgentRepository, ListAfter } from '../application/identity.ports.js';
import type { Agent } from '../domain/agent.js';
import { agentEntity } from './identity.entity.js';

const AGENT = agentEntity.as('agent');
const COLUMN = agentEntity.column;
const OTHER = agentEntity.as('other');

const facts = agentEntity.all;
const columns = `${facts.columns('agent')},
  countersign_name_note(agent.tenant_id, ${AGENT.id}, 'agent', ${AGENT.name}, agent.former_name, agent.renamed_at) as name_note`;

interface Noted {
  readonly name_note: string | null;
}

/** Agents in PostgreSQL, each with the reason to look at its name twice. */
export class SqlAgentRepository implements AgentRepository {
  insert(
    tx: Tx,
    { ownerId: ownerPersonId, ...agent }: Pick<Agent, 'id' | 'name' | 'description' | 'ownerId'>,
  ): Promise<boolean> {
    const row = { ...agent, ownerPersonId, createdAt: DATABASE_CLOCK, disabledAt: null };
    return rowsOf(tx, agentEntity).insertUnless(['name'], row);
  }

  async find(tx: Tx, id: AgentId): Promise<Agent | null> {
    return this.#one(tx, id, '');
  }

  async lock(tx: Tx, id: AgentId): Promise<Agent | null> {
    return this.#one(tx, id, 'for update');
  }

  async list(tx: Tx, page: ListAfter): Promise<Agent[]> {
    const rows = await sqlOf(tx).query<Noted>(
      `select ${columns} from agent where tenant_id = $1 and ($2::uuid is null or ${AGENT.id} > $2) order by ${AGENT.id} limit $3`,
      [tx.tenantId, page.afterId, page.limit],
    );
    return rows.map(toAgent);
  }

  async save(tx: Tx, agent: Pick<Agent, 'id' | 'name' | 'description' | 'ownerId' | 'disabledAt'>): Promise<boolean> {
    const saved = await sqlOf(tx).execute(
      `update agent set ${COLUMN.name} = $3, ${COLUMN.description} = $4, ${COLUMN.ownerPersonId} = $5,
         ${COLUMN.disabledAt} = to_timestamp($6::bigint / 1000.0)
        where tenant_id = $1 and ${AGENT.id} = $2
          and not exists (select from agent other where other.tenant_id = $1 and ${OTHER.name} = $3 and ${OTHER.id} <> $2)`,
      [tx.tenantId, agent.id, agent.name, agent.description, agent.ownerId, agent.disabledAt],
    );
    return saved === 1;
  }

  async #one(tx: Tx, id: AgentId, locking: '' | 'for update'): Promise<Agent | null> {
    const [row] = await sqlOf(tx).query<Noted>(
      `select ${columns} from agent where tenant_id = $1 and ${AGENT.id} = $2 ${locking}`,
      [tx.tenantId, id],
    );
    return row === undefined ? null : toAgent(row);
  }
}

function toAgent(stored: Noted): Agent {
  const { ownerPersonId: ownerId, name_note: nameNote, ...agent } = facts.row(stored);
  return { ...agent, ownerId, nameNote };
}
