import { sqlOf } from '#lib/database';
import type { AgentId, PersonId, Tx } from '#lib/kernel';
import type { AgentOfRequests, ReviewerCensus } from '../application/approval.ports.js';

/** People, their factors and the tokens of agents in PostgreSQL. */
export class SqlReviewerCensus implements ReviewerCensus {
  async everybody(tx: Tx): Promise<readonly { readonly personId: PersonId; readonly factor: boolean }[]> {
    const rows = await sqlOf(tx).query<{ readonly id: PersonId; readonly factor: boolean }>(
      `select person.id, exists (
           select from factor where factor.tenant_id = person.tenant_id and factor.person_id = person.id and factor.state = 'active'
         ) as factor
         from person
        where person.tenant_id = $1 and person.disabled_at is null
          and (person.enrolled_at is not null or exists (
            select from external_identity known where known.tenant_id = person.tenant_id and known.person_id = person.id))
        order by person.display_name, person.id limit 1000`,
      [tx.tenantId],
    );
    return rows.map(({ id, factor }) => ({ personId: id, factor }));
  }

  async agent(tx: Tx, id: AgentId): Promise<AgentOfRequests | null> {
    const [row] = await sqlOf(tx).query<AgentOfRequests>(
      `select agent.name, agent.owner_person_id as "ownerId", coalesce((
           select array_agg(distinct token.created_by) from credential token
            where token.tenant_id = agent.tenant_id and token.agent_id = agent.id and token.kind = 'agent_token'
              and token.revoked_at is null and token.expires_at > statement_timestamp()
         ), '{}') as speakers,
         not exists (
           select from credential
            where credential.tenant_id = agent.tenant_id and credential.agent_id = agent.id and credential.kind = 'automation'
         ) as asks
         from agent where agent.tenant_id = $1 and agent.id = $2`,
      [tx.tenantId, id],
    );
    return row ?? null;
  }
}
