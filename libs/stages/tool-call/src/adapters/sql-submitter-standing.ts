import { sqlOf } from '#lib/database';
import { agentEntity, personEntity } from '#lib/identity';
import type { Tx } from '#lib/kernel';
import type { Submitter } from '#lib/task';
import type { SubmitterStanding } from '../application/submitter-standing.port.js';

const AGENT = agentEntity.as('agent');
const PERSON = personEntity.as('person');

/** The standing of submitters in PostgreSQL. */
export class SqlSubmitterStanding implements SubmitterStanding {
  async isDisabled(tx: Tx, { kind, id, onBehalfOf }: Pick<Submitter, 'kind' | 'id' | 'onBehalfOf'>): Promise<boolean> {
    const [agentId, personId] = kind === 'agent' ? [id, onBehalfOf] : [null, id];
    const rows = await sqlOf(tx).query<object>(
      `select ${AGENT.id} from agent where tenant_id = $1 and ${AGENT.id} = $2 and ${AGENT.disabledAt} is not null
       union all
       select ${PERSON.id} from person where tenant_id = $1 and ${PERSON.disabledAt} is not null
         and (${PERSON.id} = $3 or ${PERSON.id} = (select ${AGENT.ownerPersonId} from agent where tenant_id = $1 and ${AGENT.id} = $2))`,
      [tx.tenantId, agentId, personId],
    );
    return rows.length > 0;
  }
}
