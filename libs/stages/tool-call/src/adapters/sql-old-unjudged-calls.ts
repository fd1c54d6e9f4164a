import { sqlOf, type OldRows } from '#lib/database';
import { sessionEntity } from '#lib/session';
import { unjudgedCallEntity } from './tool-call.entity.js';

const TOOL_CALL_UNJUDGED = unjudgedCallEntity.as('tool_call_unjudged');
const OLD = unjudgedCallEntity.as('old');
const SESSION = sessionEntity.as('session');

const AGE_MS = 30 * 24 * 3_600_000;
const BATCH = 1_000;

/** Calls that lacked a fact, in no open session: their names get the same answer for so long. */
export const oldUnjudgedCalls: OldRows = {
  name: 'unjudged-calls',
  tenants: 'tool_call_unjudged_old',
  ageMs: AGE_MS,
  // The service may not lock such a row.
  drop: (tx, before) =>
    sqlOf(tx).execute(
      `delete from tool_call_unjudged where tenant_id = $1 and ${TOOL_CALL_UNJUDGED.id} in
        (select ${OLD.id} from tool_call_unjudged old
          where old.tenant_id = $1 and ${OLD.askedAt} < $2
            and not exists (select from session
                             where session.tenant_id = $1 and ${SESSION.id} = ${OLD.sessionId} and ${SESSION.state} = 'open')
          order by ${OLD.askedAt} limit ${String(BATCH)})`,
      [tx.tenantId, before],
    ),
};
