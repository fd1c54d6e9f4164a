import { z } from 'zod';
import { anyJson, parsedText, parsedValue, sqlOf } from '#lib/database';
import { agentEntity, personEntity } from '#lib/identity';
import type { LoggedEvent, Tx } from '#lib/kernel';
import { planEntity } from '#lib/plan';
import { runEntity, runStepEntity, stepAttemptEntity } from '#lib/run';
import { sessionEntity } from '#lib/session';
import { toolCallEntity } from '#lib/tool-call';
import type { ReportedCalls } from '../application/webhook.ports.js';
import type { ReportedCall } from '../domain/event-body.js';

const CALL = toolCallEntity.as('call');
const SESSION = sessionEntity.as('session');
const AGENT = agentEntity.as('agent');
const PERSON = personEntity.as('person');
const ATTEMPT = stepAttemptEntity.as('attempt');
const STEP = runStepEntity.as('step');
const RUN = runEntity.as('run');
const PLAN = planEntity.as('plan');

interface CallRow {
  readonly key: string;
  readonly tool_name: string;
  readonly arguments: string;
  readonly result: unknown;
  readonly error: unknown;
  readonly caller: string;
  readonly model: string | null;
}

const errorSchema = z.object({ message: z.string() }).nullable();

/** The facts by which an entry of a run names an attempt of a step. */
const stepFacts = z.object({ run_step_id: z.uuid(), attempt: z.int() });

/** Calls in PostgreSQL, from the tables of the stages. */
export class SqlReportedCalls implements ReportedCalls {
  async of(tx: Tx, events: readonly LoggedEvent[]): Promise<ReadonlyMap<string, ReportedCall>> {
    const keys = new Map<string, string | null>(events.map((event) => [event.id, keyOf(event)]));
    const wanted = [...new Set(keys.values())].filter((key) => key !== null);
    const [single, ofRuns] = [wanted.filter((key) => !key.includes('/')), wanted.filter((key) => key.includes('/'))];
    const rows = [
      ...(single.length === 0 ? [] : await singleCalls(tx, single)),
      ...(ofRuns.length === 0 ? [] : await callsOfRuns(tx, ofRuns)),
    ];
    const found = new Map(rows.map((row) => [row.key, reported(row)]));
    return new Map(
      [...keys].flatMap(([id, key]) => {
        const call = key === null ? undefined : found.get(key);
        return call === undefined ? [] : [[id, call] as const];
      }),
    );
  }
}

/** The id of a call; the step, purpose and number of an attempt of a run. Null if the facts were erased. */
function keyOf({ action, subject, payload }: LoggedEvent): string | null {
  if (subject.type !== 'run') return subject.id;
  const facts = stepFacts.safeParse(payload).data;
  const purpose = action.startsWith('run.compensation_') ? 'compensation' : 'call';
  return facts === undefined ? null : `${facts.run_step_id}/${purpose}/${String(facts.attempt)}`;
}

const reported = (row: CallRow): ReportedCall => ({
  tool: row.tool_name,
  parameters: parsedText(anyJson, row.arguments, at(row, 'arguments')),
  output:
    parsedValue(anyJson, row.result, at(row, 'result')) ??
    parsedValue(errorSchema, row.error, at(row, 'error'))?.message ??
    null,
  agent: row.caller,
  model: row.model,
});

const at = ({ key }: CallRow, column: string) => ({
  table: key.includes('/') ? 'step_attempt' : 'tool_call',
  column,
  id: key,
});

const singleCalls = (tx: Tx, ids: readonly string[]): Promise<readonly CallRow[]> =>
  sqlOf(tx).query<CallRow>(
    `select ${CALL.id} as key, ${CALL.toolName} as tool_name, ${CALL.arguments} as arguments, ${CALL.result} as result, ${CALL.error} as error, ${SESSION.model} as model,
            coalesce(${AGENT.name}, countersign_shown_name(person)) as caller
       from tool_call call
       left join session on session.tenant_id = call.tenant_id and ${SESSION.id} = ${CALL.sessionId}
       left join agent on agent.tenant_id = call.tenant_id and ${AGENT.id} = ${CALL.agentId}
       left join person on person.tenant_id = call.tenant_id and ${PERSON.id} = ${CALL.personId}
      where call.tenant_id = $1 and ${CALL.id} = any ($2::uuid[])`,
    [tx.tenantId, ids],
  );

/** A run executes the invocations of its expanded plan, for the agent or person who submitted the plan. It has no session. */
const callsOfRuns = (tx: Tx, keys: readonly string[]): Promise<readonly CallRow[]> =>
  sqlOf(tx).query<CallRow>(
    `select ${ATTEMPT.runStepId} || '/' || ${ATTEMPT.purpose} || '/' || ${ATTEMPT.number} as key,
            invocation #>> '{tool,name}' as tool_name, invocation ->> 'arguments' as arguments,
            ${ATTEMPT.result} as result, ${ATTEMPT.error} as error, null as model, coalesce(${AGENT.name}, countersign_shown_name(person)) as caller
       from step_attempt attempt
       join run_step step on step.tenant_id = $1 and ${STEP.id} = ${ATTEMPT.runStepId}
       join run on run.tenant_id = $1 and ${RUN.id} = ${ATTEMPT.runId}
       join plan on plan.tenant_id = $1 and ${PLAN.id} = ${RUN.planId}
       left join agent on agent.tenant_id = $1 and ${AGENT.id} = ${PLAN.agentId}
       left join person on person.tenant_id = $1 and ${PERSON.id} = ${PLAN.personId}
       cross join lateral jsonb_path_query_first(
         ${PLAN.expanded}::jsonb,
         case when ${STEP.kind} = 'health_check'
              then '$.phases[*] ? (@.index == $phase).batches[*] ? (@.index == $batch).health_checks[*] ? (@.name == $id).invocation'
              when ${ATTEMPT.purpose} = 'compensation' then '$.phases[*].batches[*].calls[*] ? (@.seq == $seq).compensate_with'
              else '$.phases[*].batches[*].calls[*] ? (@.seq == $seq).invocation' end::jsonpath,
         jsonb_build_object('phase', ${STEP.phaseIndex}, 'batch', ${STEP.batchIndex}, 'seq', ${STEP.seq}, 'id', ${STEP.stepId})
       ) invocation
      where attempt.tenant_id = $1 and invocation is not null
        and ${ATTEMPT.runStepId} = any (select split_part(key, '/', 1)::uuid from unnest($2::text[]) key)
        and ${ATTEMPT.runStepId} || '/' || ${ATTEMPT.purpose} || '/' || ${ATTEMPT.number} = any ($2::text[])`,
    [tx.tenantId, keys],
  );
