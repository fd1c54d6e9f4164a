import { FINDING_KINDS, type FindingView } from '#lib/api-schemas';
import { foundByWords, sqlOf, wordHits } from '#lib/database';
import { type Tx, toTimestamp } from '#lib/kernel';
import type { FindingReader } from '../application/report.ports.js';

interface FindingRow extends Omit<FindingView, 'at' | 'environment'> {
  readonly at: Date;
  readonly environment: string | null;
  readonly production: boolean | null;
}

/** Work of one kind, and how it hangs together with its plan and task. */
const WORK = [
  { kind: 'request', table: 'approval_request', state: 'approval_request.state', at: 'opened_at' },
  { kind: 'run', table: 'run', state: 'run.state', at: 'created_at' },
  { kind: 'incident', table: 'incident', state: 'incident.state', at: 'opened_at' },
] as const;

const workOf = ({ kind, table, state, at }: (typeof WORK)[number], words: readonly string[]): string =>
  `select '${kind}' as kind, ${table}.id::text as id, plan.headline as title, task.spec::jsonb ->> 'goal' as said,
      ${state} as state, environment.name as environment, environment.production, ${table}.${at} as at
    from ${table}
    join plan on plan.tenant_id = ${table}.tenant_id and plan.id = ${table}.plan_id
    join task on task.tenant_id = ${table}.tenant_id and task.id = ${table}.task_id
    join environment on environment.tenant_id = task.tenant_id and environment.id = task.environment_id
   where ${[`${table}.tenant_id = $1`, ...words].join(' and ')}
   order by ${table}.${at} desc, ${table}.id desc limit $2`;

const PLANS = (words: readonly string[]): string =>
  `select 'plan', plan.id::text, coalesce(plan.headline, 'revision ' || plan.revision || ', which is not valid'),
      task.spec::jsonb ->> 'goal', plan_status.status, environment.name, environment.production, plan.created_at
    from plan
    join plan_status on plan_status.tenant_id = plan.tenant_id and plan_status.plan_id = plan.id
    join task on task.tenant_id = plan.tenant_id and task.id = plan.task_id
    join environment on environment.tenant_id = task.tenant_id and environment.id = task.environment_id
   where ${['plan.tenant_id = $1', ...words].join(' and ')}
   order by plan.created_at desc, plan.id desc limit $2`;

const TASKS = (words: readonly string[]): string =>
  `select 'task', task.id::text, coalesce(latest.headline, task.spec::jsonb ->> 'task_type'),
      task.spec::jsonb ->> 'goal', task.state, environment.name, environment.production, task.created_at
    from task
    join environment on environment.tenant_id = task.tenant_id and environment.id = task.environment_id
    left join lateral (select plan.headline from plan
      where plan.tenant_id = task.tenant_id and plan.task_id = task.id and plan.headline is not null
      order by plan.revision desc limit 1) latest on true
   where ${['task.tenant_id = $1', ...words].join(' and ')}
   order by task.created_at desc, task.id desc limit $2`;

/** People, agents and tools are few: each is compared. $3 is the typed text, in lower case. */
const NAMED = [
  `select 'person', person.id::text, countersign_shown_name(person), null, case when person.disabled_at is not null then 'disabled' end,
      null, null::boolean, person.created_at
    from person where person.tenant_id = $1
     and (position($3 in lower(person.display_name || ' ' || person.email)) > 0 or person.id::text like $4 or right(person.id::text, 8) like $4)
   order by person.disabled_at nulls first, lower(person.display_name), person.id limit $2`,
  `select 'agent', agent.id::text, agent.name || coalesce(' (' || note || ')', ''), null, case when agent.disabled_at is not null then 'disabled' end,
      null, null::boolean, agent.created_at
    from agent, countersign_name_note(agent.tenant_id, agent.id, 'agent', agent.name, agent.former_name, agent.renamed_at) note
   where agent.tenant_id = $1
     and (position($3 in lower(agent.name)) > 0 or agent.id::text like $4 or right(agent.id::text, 8) like $4)
   order by agent.disabled_at nulls first, lower(agent.name), agent.id limit $2`,
  `select 'tool', tool.name, tool.name, null, null, null, null::boolean, tool.created_at
    from tool where tool.tenant_id = $1 and not tool.removed and position($3 in lower(tool.name)) > 0
   order by tool.name limit $2`,
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
    const plans = PLANS(words('plan', 'plan.task_id', ['plan.id', 'plan.task_id']));
    const tasks = TASKS(words('task', 'task.id', null));
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
