import { sqlOf } from '#lib/database';
import type { Tx } from '#lib/kernel';
import type { Submitter } from '#lib/task';
import type { SubmitterStanding } from '../application/submitter-standing.port.js';

/** The standing of submitters in PostgreSQL. */
export class SqlSubmitterStanding implements SubmitterStanding {
  async isDisabled(tx: Tx, { kind, id, onBehalfOf }: Pick<Submitter, 'kind' | 'id' | 'onBehalfOf'>): Promise<boolean> {
    const [agentId, personId] = kind === 'agent' ? [id, onBehalfOf] : [null, id];
    const rows = await sqlOf(tx).query<object>(
      `select id from agent where tenant_id = $1 and id = $2 and disabled_at is not null
       union all
       select id from person where tenant_id = $1 and disabled_at is not null
         and (id = $3 or id = (select owner_person_id from agent where tenant_id = $1 and id = $2))`,
      [tx.tenantId, agentId, personId],
    );
    return rows.length > 0;
  }
}
