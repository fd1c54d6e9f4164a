import { sqlOf } from '#lib/database';
import { agentEntity, personEntity } from '#lib/identity';
import type { LoggedEvent, Tx } from '#lib/kernel';
import { planEntity } from '#lib/plan';
import { runEntity } from '#lib/run';
import { toolCallEntity } from '#lib/tool-call';
import type { HookedCallers } from '../application/lifecycle-hook.ports.js';
import type { HookedCaller } from '../domain/hook-event.js';

const AGENT = agentEntity.as('agent');
const TOOL_CALL = toolCallEntity.as('tool_call');
const RUN = runEntity.as('run');
const PLAN = planEntity.as('plan');
const PERSON = personEntity.as('person');

interface CallerRow {
  readonly id: string;
  readonly caller_id: string;
  readonly name: string;
  readonly session_id: string | null;
}

/** The callers of calls and the submitters of plans, from the tables of the stages. */
export class SqlHookedCallers implements HookedCallers {
  async of(tx: Tx, events: readonly LoggedEvent[]): Promise<ReadonlyMap<string, HookedCaller>> {
    if (events.length === 0) return new Map();
    const rows = await sqlOf(tx).query<CallerRow>(
      `select source.id, coalesce(source.agent_id, source.person_id) as caller_id,
              coalesce(${AGENT.name}, countersign_shown_name(person)) as name, source.session_id
         from (
           select ${TOOL_CALL.id}, ${TOOL_CALL.agentId} as agent_id, ${TOOL_CALL.personId} as person_id, ${TOOL_CALL.sessionId} as session_id from tool_call where tenant_id = $1
             and ${TOOL_CALL.id} = any ($2::uuid[])
           union all
           select ${RUN.id}, ${PLAN.agentId}, ${PLAN.personId}, null
             from run join plan on plan.tenant_id = $1 and ${PLAN.id} = ${RUN.planId}
            where run.tenant_id = $1 and ${RUN.id} = any ($2::uuid[])) source
         left join agent on agent.tenant_id = $1 and ${AGENT.id} = source.agent_id
         left join person on person.tenant_id = $1 and ${PERSON.id} = source.person_id`,
      [tx.tenantId, [...new Set(events.map(({ subject }) => subject.id))]],
    );
    return new Map(
      rows.map(({ id, caller_id: agentId, name, session_id: sessionId }) => [
        id,
        { agentId, agentName: name, sessionId },
      ]),
    );
  }
}
