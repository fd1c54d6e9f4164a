import { sqlOf } from '#lib/database';
import { agentEntity, credentialEntity, personEntity } from '#lib/identity';
import type { AgentId, PersonId, Tx } from '#lib/kernel';
import { factorEntity } from '#lib/mfa';
import { externalIdentityEntity } from '#lib/sign-in';
import type { AgentOfRequests, ReviewerCensus } from '../application/approval.ports.js';

const PERSON = personEntity.as('person');
const FACTOR = factorEntity.as('factor');
const KNOWN = externalIdentityEntity.as('known');
const AGENT = agentEntity.as('agent');
const TOKEN = credentialEntity.as('token');
const CREDENTIAL = credentialEntity.as('credential');

/** People, their factors and the tokens of agents in PostgreSQL. */
export class SqlReviewerCensus implements ReviewerCensus {
  async everybody(tx: Tx): Promise<readonly { readonly personId: PersonId; readonly factor: boolean }[]> {
    const rows = await sqlOf(tx).query<{ readonly id: PersonId; readonly factor: boolean }>(
      `select ${PERSON.id}, exists (
           select from factor where factor.tenant_id = person.tenant_id and ${FACTOR.personId} = ${PERSON.id} and ${FACTOR.state} = 'active'
         ) as factor
         from person
        where person.tenant_id = $1 and ${PERSON.disabledAt} is null
          and (${PERSON.enrolledAt} is not null or exists (
            select from external_identity known where known.tenant_id = person.tenant_id and ${KNOWN.personId} = ${PERSON.id}))
        order by ${PERSON.displayName}, ${PERSON.id} limit 1000`,
      [tx.tenantId],
    );
    return rows.map(({ id, factor }) => ({ personId: id, factor }));
  }

  async agent(tx: Tx, id: AgentId): Promise<AgentOfRequests | null> {
    const [row] = await sqlOf(tx).query<AgentOfRequests>(
      `select ${AGENT.name} as name, ${AGENT.ownerPersonId} as "ownerId", coalesce((
           select array_agg(distinct ${TOKEN.createdBy}) from credential token
            where token.tenant_id = agent.tenant_id and ${TOKEN.agentId} = ${AGENT.id} and ${TOKEN.kind} = 'agent_token'
              and ${TOKEN.revokedAt} is null and ${TOKEN.expiresAt} > statement_timestamp()
         ), '{}') as speakers,
         not exists (
           select from credential
            where credential.tenant_id = agent.tenant_id and ${CREDENTIAL.agentId} = ${AGENT.id} and ${CREDENTIAL.kind} = 'automation'
         ) as asks
         from agent where agent.tenant_id = $1 and ${AGENT.id} = $2`,
      [tx.tenantId, id],
    );
    return row ?? null;
  }
}
