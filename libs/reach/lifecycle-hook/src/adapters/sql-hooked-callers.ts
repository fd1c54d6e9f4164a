import { sqlOf } from '#lib/database';
import type { LoggedEvent, Tx } from '#lib/kernel';
import type { HookedCallers } from '../application/lifecycle-hook.ports.js';
import type { HookedCaller } from '../domain/hook-event.js';

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
              coalesce(agent.name, countersign_shown_name(person)) as name, source.session_id
         from (
           select id, agent_id, person_id, session_id from tool_call where tenant_id = $1 and id = any ($2::uuid[])
           union all
           select run.id, plan.agent_id, plan.person_id, null
             from run join plan on plan.tenant_id = $1 and plan.id = run.plan_id
            where run.tenant_id = $1 and run.id = any ($2::uuid[])) source
         left join agent on agent.tenant_id = $1 and agent.id = source.agent_id
         left join person on person.tenant_id = $1 and person.id = source.person_id`,
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
