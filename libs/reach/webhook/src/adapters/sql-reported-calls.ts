import { parseStrictJson, type Json } from '#lib/canonical';
import { sqlOf } from '#lib/database';
import type { LoggedEvent, Tx } from '#lib/kernel';
import type { ReportedCalls } from '../application/webhook.ports.js';
import type { ReportedCall } from '../domain/event-body.js';

interface CallRow {
  readonly id: string;
  readonly tool_name: string;
  readonly arguments: string;
  readonly result: Json;
  readonly error: { readonly message: string } | null;
  readonly caller: string;
  readonly model: string | null;
}

/** Calls in PostgreSQL, from the tables of the stages. */
export class SqlReportedCalls implements ReportedCalls {
  async of(tx: Tx, events: readonly LoggedEvent[]): Promise<ReadonlyMap<string, ReportedCall>> {
    if (events.length === 0) return new Map();
    const rows = await sqlOf(tx).query<CallRow>(
      `select call.id, call.tool_name, call.arguments, call.result, call.error, session.model,
              coalesce(agent.name, countersign_shown_name(person)) as caller
         from tool_call call
         left join session on session.tenant_id = call.tenant_id and session.id = call.session_id
         left join agent on agent.tenant_id = call.tenant_id and agent.id = call.agent_id
         left join person on person.tenant_id = call.tenant_id and person.id = call.person_id
        where call.tenant_id = $1 and call.id = any ($2::uuid[])`,
      [tx.tenantId, events.map(({ subject }) => subject.id)],
    );
    return new Map(
      rows.map((row) => [
        row.id,
        {
          tool: row.tool_name,
          parameters: parseStrictJson(row.arguments, 256),
          output: row.result ?? row.error?.message ?? null,
          agent: row.caller,
          model: row.model,
        },
      ]),
    );
  }
}
