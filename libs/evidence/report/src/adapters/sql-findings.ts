import { FINDING_KINDS, type FindingView } from '#lib/api-schemas';
import { approvalRequestEntity } from '#lib/approval';
import { foundByWords, sqlOf, wordHits } from '#lib/database';
import { agentEntity, personEntity } from '#lib/identity';
import { incidentEntity } from '#lib/incident';
import { type Tx, toTimestamp } from '#lib/kernel';
import { planEntity } from '#lib/plan';
import { runEntity } from '#lib/run';
import { taskEntity } from '#lib/task';
import { environmentEntity } from '#lib/tenancy';
import { toolEntity } from '#lib/tool';
import type { FindingReader } from '../application/report.ports.js';

const APPROVAL_REQUEST = approvalRequestEntity.as('approval_request');
const RUN = runEntity.as('run');
const INCIDENT = incidentEntity.as('incident');
const PLAN = planEntity.as('plan');
const TASK = taskEntity.as('task');
const ENVIRONMENT = environmentEntity.as('environment');
const PERSON = personEntity.as('person');
const AGENT = agentEntity.as('agent');
const TOOL = toolEntity.as('tool');

interface FindingRow extends Omit<FindingView, 'at' | 'environment'> {
  readonly at: Date;
  readonly environment: string | null;
  readonly production: boolean | null;
}

/** Work of one kind, and how it hangs together with its plan and task. */
const WORK = [
  { kind: 'request', table: 'approval_request', state: APPROVAL_REQUEST.state, at: 'opened_at' },
  { kind: 'run', table: 'run', state: RUN.state, at: 'created_at' },
  { kind: 'incident', table: 'incident', state: INCIDENT.state, at: 'opened_at' },
] as const;

const workOf = ({ kind, table, state, at }: (typeof WORK)[number], words: readonly string[]): string =>
  `select '${kind}' as kind, ${table}.id::text as id, ${PLAN.headline} as title, ${TASK.spec}::jsonb ->> 'goal' as said,
      ${state} as state, ${ENVIRONMENT.name} as environment, ${ENVIRONMENT.production}, ${table}.${at} as at
    from ${table}
    join plan on plan.tenant_id = ${table}.tenant_id and ${PLAN.id} = ${table}.plan_id
    join task on task.tenant_id = ${table}.tenant_id and ${TASK.id} = ${table}.task_id
    join environment on environment.tenant_id = task.tenant_id and ${ENVIRONMENT.id} = ${TASK.environmentId}
   where ${[`${table}.tenant_id = $1`, ...words].join(' and ')}
   order by ${table}.${at} desc, ${table}.id desc limit $2`;

const PLANS = (words: readonly string[]): string =>
  `select 'plan', ${PLAN.id}::text, coalesce(${PLAN.headline}, 'revision ' || ${PLAN.revision} || ', which is not valid'),
      ${TASK.spec}::jsonb ->> 'goal', plan_status.status, ${ENVIRONMENT.name}, ${ENVIRONMENT.production}, ${PLAN.createdAt}
    from plan
    join plan_status on plan_status.tenant_id = plan.tenant_id and plan_status.plan_id = ${PLAN.id}
    join task on task.tenant_id = plan.tenant_id and ${TASK.id} = ${PLAN.taskId}
    join environment on environment.tenant_id = task.tenant_id and ${ENVIRONMENT.id} = ${TASK.environmentId}
   where ${['plan.tenant_id = $1', ...words].join(' and ')}
   order by ${PLAN.createdAt} desc, ${PLAN.id} desc limit $2`;

const TASKS = (words: readonly string[]): string =>
  `select 'task', ${TASK.id}::text, coalesce(latest.headline, ${TASK.spec}::jsonb ->> 'task_type'),
      ${TASK.spec}::jsonb ->> 'goal', ${TASK.state}, ${ENVIRONMENT.name}, ${ENVIRONMENT.production}, ${TASK.createdAt}
    from task
    join environment on environment.tenant_id = task.tenant_id and ${ENVIRONMENT.id} = ${TASK.environmentId}
    left join lateral (select ${PLAN.headline} from plan
      where plan.tenant_id = task.tenant_id and ${PLAN.taskId} = ${TASK.id} and ${PLAN.headline} is not null
      order by ${PLAN.revision} desc limit 1) latest on true
   where ${['task.tenant_id = $1', ...words].join(' and ')}
   order by ${TASK.createdAt} desc, ${TASK.id} desc limit $2`;

/** People, agents and tools are few: each is compared. $3 is the typed text, in lower case. */
const NAMED = [
  `select 'person', ${PERSON.id}::text, countersign_shown_name(person), null, case when ${PERSON.disabledAt} is not null
     then 'disabled' end,
      null, null::boolean, ${PERSON.createdAt}
    from person where person.tenant_id = $1
     and (position($3 in lower(${PERSON.displayName} || ' ' || ${PERSON.email})) > 0 or ${PERSON.id}::text like $4
       or right(${PERSON.id}::text, 8) like $4)
   order by ${PERSON.disabledAt} nulls first, lower(${PERSON.displayName}), ${PERSON.id} limit $2`,
  `select 'agent', ${AGENT.id}::text, ${AGENT.name} || coalesce(' (' || note || ')', ''), null, case when ${AGENT.disabledAt} is not null
     then 'disabled' end,
      null, null::boolean, ${AGENT.createdAt}
    from agent, countersign_name_note(agent.tenant_id, ${AGENT.id}, 'agent', ${AGENT.name}, agent.former_name, agent.renamed_at) note
   where agent.tenant_id = $1
     and (position($3 in lower(${AGENT.name})) > 0 or ${AGENT.id}::text like $4 or right(${AGENT.id}::text, 8) like $4)
   order by ${AGENT.disabledAt} nulls first, lower(${AGENT.name}), ${AGENT.id} limit $2`,
  `select 'tool', ${TOOL.name}, ${TOOL.name}, null, null, null, null::boolean, ${TOOL.createdAt}
    from tool where tool.tenant_id = $1 and not ${TOOL.removed} and position($3 in lower(${TOOL.name})) > 0
   order by ${TOOL.name} limit $2`,
];

/** The search in PostgreSQL: it finds work by its words, and people, agents and tools by their names. */
export class SqlFindings implements FindingReader {
  async find(tx: Tx, text: string, most: number): Promise<readonly FindingView[]> {
    const hits = await wordHits(tx, text);
    if (hits.length === 0) return [];
    const typed = text.toLowerCase();
    const parameters: unknown[] = [tx.tenantId, most, typed, /^[0-9a-f-]{4,36}$/.test(typed) ? `${typed}%` : ''];
    const words = (table: string, task: string, subjects: readonly string[] | null): readonly string[] =>
      foundByWords(hits, { table, task, subjects }, (value) => `$${String(parameters.push(value))}`);
    const [requests, runs, incidents] = WORK.map((one) =>
      workOf(
        one,
        words(one.table, `${one.table}.task_id`, [`${one.table}.id`, `${one.table}.plan_id`, `${one.table}.task_id`]),
      ),
    );
    const plans = PLANS(words('plan', PLAN.taskId, [PLAN.id, PLAN.taskId]));
    const tasks = TASKS(words('task', TASK.id, null));
    sqlOf(tx).executeAhead('set local plan_cache_mode = force_custom_plan');
    const rows = await sqlOf(tx).query<FindingRow>(
      [requests, ...NAMED, runs, plans, tasks, incidents].map((one) => `(${one ?? ''})`).join(' union all '),
      parameters,
    );
    return rows
      .map(({ at, environment, production, ...row }) => ({
        ...row,
        environment: environment === null ? null : { name: environment, production: production === true },
        at: toTimestamp(at.getTime()),
      }))
      .sort((one, other) => FINDING_KINDS.indexOf(one.kind) - FINDING_KINDS.indexOf(other.kind));
  }
}
