import { sqlOf } from '#lib/database';
import type { AgentId, PersonId, Tx } from '#lib/kernel';
import type { ReviewerCensus } from '../application/approval.ports.js';

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

  async agent(
    tx: Tx,
    id: AgentId,
  ): Promise<{ readonly name: string; readonly ownerId: PersonId; readonly speakers: readonly PersonId[] } | null> {
    const [row] = await sqlOf(tx).query<{
      readonly name: string;
      readonly owner: PersonId;
      readonly speakers: PersonId[];
    }>(
      `select agent.name, agent.owner_person_id as owner, coalesce((
           select array_agg(distinct token.created_by) from credential token
            where token.tenant_id = agent.tenant_id and token.agent_id = agent.id and token.kind = 'agent_token'
              and token.revoked_at is null and token.expires_at > statement_timestamp()
         ), '{}') as speakers
         from agent where agent.tenant_id = $1 and agent.id = $2`,
      [tx.tenantId, id],
    );
    return row === undefined ? null : { name: row.name, ownerId: row.owner, speakers: row.speakers };
  }
}
