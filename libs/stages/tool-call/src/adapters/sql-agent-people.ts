import { sqlOf } from '#lib/database';
import { agentEntity } from '#lib/identity';
import type { AgentId, CredentialId, PersonId, Tx } from '#lib/kernel';
import type { AgentPeople } from '../application/agent-people.port.js';

const AGENT = agentEntity.as('agent');

/** The people behind an agent in PostgreSQL, by the function `agent_answerable`. */
export class SqlAgentPeople implements AgentPeople {
  async behind(
    tx: Tx,
    agentId: AgentId,
    since: number,
    credentialId: CredentialId,
  ): Promise<{ readonly ownerId: PersonId; readonly answerable: readonly PersonId[] }> {
    const [row] = await sqlOf(tx).query<{ readonly owner: PersonId; readonly answerable: PersonId[] }>(
      `select ${AGENT.ownerPersonId} as owner,
              array(select a.person_id from agent_answerable(${AGENT.id}, $3, array[$4::uuid]) with ordinality a (person_id, nr)
                     order by a.nr) as answerable
         from agent where agent.tenant_id = $1 and ${AGENT.id} = $2`,
      [tx.tenantId, agentId, new Date(since), credentialId],
    );
    if (row === undefined) throw new Error(`the agent ${agentId} is gone`);
    return { ownerId: row.owner, answerable: row.answerable };
  }
}
