import { foundByWords, rowsOf, sqlOf, wordHits } from '#lib/database';
import type { PageRequest, TenantId, Tx } from '#lib/kernel';
import { environmentEntity } from '#lib/tenancy';
import type { WorkFilter } from '../application/work-filter.js';
import { taskEntity } from './task.entity.js';

const TASK = taskEntity.as('task');

/** How one list of work is read. Columns with their table; `parameter` is that of the value looked for. */
export interface WorkRow {
  readonly table: 'task' | 'plan' | 'approval_request' | 'run' | 'incident';
  /** The time that the list is sorted by, newest first. */
  readonly at: string;
  readonly task: string;
  /** The column of its plan; null for a task, which has any of its own. */
  readonly plan: string | null;
  /** The column of its environment; null: that of its task. */
  readonly environment: string | null;
  readonly agent: (parameter: string) => string;
  /** Selects of the ids of those that the person asked for, or reviewed: each by an index of its own. */
  readonly person: (parameter: string) => readonly string[];
}

const ofTenant = (table: string): string => `${table}.tenant_id = $1`;

/** The rows that a person submitted, themselves or through an agent. */
export const askedBy = (table: 'task' | 'plan' | 'approval_request', parameter: string): readonly string[] =>
  ['person_id', 'on_behalf_of'].map(
    (column) => `select asked.id from ${table} asked where ${ofTenant('asked')} and asked.${column} = ${parameter}`,
  );

/** Plans of which a person reviewed a request. */
const reviewedPlans = (parameter: string): string =>
  `select asked.plan_id from approval_request asked
     join review on review.tenant_id = asked.tenant_id and review.request_id = asked.id
    where ${ofTenant('review')} and review.person_id = ${parameter}`;

/** Plans that a person submitted, or of which they reviewed a request. */
export const plansOfPerson = (parameter: string): string =>
  [...askedBy('plan', parameter), reviewedPlans(parameter)].join(' union all ');

/** Plans that an agent submitted. */
export const plansOfAgent = (parameter: string): string =>
  `select submitted.id from plan submitted where ${ofTenant('submitted')} and submitted.agent_id = ${parameter}`;

/** Null for one that is not there, which has no work. */
async function environmentNamed(tx: Tx, name: string): Promise<string | null> {
  return (await rowsOf(tx, environmentEntity).findOne({ name }, { only: ['id'] }))?.id ?? null;
}

/** The conditions, the order and the parameters of one list of work. Every value is a parameter. */
export class SqlWorkConditions {
  readonly #parameters: unknown[];
  readonly #conditions: string[];

  constructor(
    tenantId: TenantId,
    private readonly row: WorkRow,
  ) {
    this.#parameters = [tenantId];
    this.#conditions = [ofTenant(row.table)];
  }

  get parameters(): readonly unknown[] {
    return this.#parameters;
  }

  parameter(value: unknown): string {
    this.#parameters.push(value);
    return `$${String(this.#parameters.length)}`;
  }

  add(condition: string): this {
    this.#conditions.push(condition);
    return this;
  }

  /** Adds nothing without a value. */
  equal(column: string, value: string | undefined): this {
    return value === undefined ? this : this.add(`${column} = ${this.parameter(value)}`);
  }

  /** Adds the filter's conditions. Words and names are looked up first, so that the plan of the statement fits them. */
  async filtered(tx: Tx, filter: WorkFilter): Promise<this> {
    const { row } = this;
    // A plan for any value would be the wrong one for a rare value. The statement is planned anew for these.
    if (Object.keys(filter).length > 0) sqlOf(tx).executeAhead('set local plan_cache_mode = force_custom_plan');
    if (filter.search !== undefined) {
      const subjects = row.plan === null ? null : [`${row.table}.id`, row.plan, row.task];
      const hits = await wordHits(tx, filter.search);
      for (const found of foundByWords(hits, { ...row, subjects }, (value) => this.parameter(value))) this.add(found);
    }
    if (filter.environment !== undefined) this.#inEnvironment(await environmentNamed(tx, filter.environment));
    if (filter.agentId !== undefined) this.add(row.agent(this.parameter(filter.agentId)));
    if (filter.tool !== undefined) this.#ofPlans('plan_tool', 'tool_name', filter.tool);
    if (filter.target !== undefined) this.#ofPlans('plan_target', 'target', filter.target);
    if (filter.personId !== undefined) {
      const theirs = row.person(this.parameter(filter.personId));
      this.add(`${row.table}.id in (${theirs.join(' union all ')})`);
    }
    if (filter.from !== undefined) this.add(`${row.at} >= ${this.parameter(new Date(filter.from))}`);
    if (filter.until !== undefined) this.add(`${row.at} < ${this.parameter(new Date(filter.until))}`);
    return this;
  }

  /** The end of the statement: a page, newest first. */
  page({ after, limit }: PageRequest): string {
    const { at, table } = this.row;
    if (after !== null)
      this.add(`(${at}, ${table}.id) < (${this.parameter(new Date(after.at))}, ${this.parameter(after.id)}::uuid)`);
    return `where ${this.#conditions.join(' and ')} order by ${at} desc, ${table}.id desc limit ${this.parameter(limit)}`;
  }

  #inEnvironment(id: string | null): void {
    const { environment, task } = this.row;
    const named = this.parameter(id);
    this.add(
      environment === null
        ? `${task} in (select ${TASK.id} from task where ${ofTenant('task')} and ${TASK.environmentId} = ${named}::uuid)`
        : `${environment} = ${named}::uuid`,
    );
  }

  #ofPlans(table: 'plan_tool' | 'plan_target', column: string, value: string): void {
    const held = `${ofTenant('held')} and held.${column} = ${this.parameter(value)}`;
    this.add(
      this.row.plan === null
        ? `${this.row.task} in (select plan.task_id from ${table} held join plan on plan.tenant_id = held.tenant_id
          and plan.id = held.plan_id where ${held})`
        : `${this.row.plan} in (select held.plan_id from ${table} held where ${held})`,
    );
  }
}
