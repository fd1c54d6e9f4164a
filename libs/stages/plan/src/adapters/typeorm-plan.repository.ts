import { canonicalJson, type Json } from '#lib/canonical';
import { TOOL_LEVELS, type PlanState, type PlanStatus } from '#lib/formats';
import { sqlOf } from '#lib/database';
import type { DecisionId, Digest, FieldError, PageRequest, PlanId, TaskId, ToolVersionId, Tx } from '#lib/kernel';
import {
  plansOfPerson,
  type Submitter,
  type SubmitterColumns,
  submitterColumns,
  submitterFromColumns,
  WorkConditions,
  type WorkRow,
} from '#lib/task';
import type { PlanFilter, PlanHoldings, PlanRepository } from '../application/plan.ports.js';
import type { PlanHeadline } from '../domain/plan-headline.js';
import type { ListedPlan, Plan, PlanSummary, PlanWithStatus } from '../domain/plan.js';
import { PlanContents, ROW_VERSION } from './plan-contents.js';

interface HeadlineColumns {
  readonly headline: string | null;
  readonly risk: number | null;
}

interface SummaryRow extends SubmitterColumns, HeadlineColumns {
  readonly id: string;
  readonly task_id: string;
  readonly revision: number;
  readonly state: PlanState;
  readonly digest: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

interface PlanRow extends SummaryRow {
  readonly row_version: string;
  readonly errors: FieldError[];
  readonly decision_id: string | null;
}

interface PlanStatusRow extends PlanRow {
  readonly status: PlanStatus;
}

const SUMMARY = `plan.id, plan.task_id, plan.revision, plan.state, plan.digest, plan.headline, plan.risk, plan.agent_id,
  plan.person_id, plan.on_behalf_of, plan.credential_id, plan.created_at, plan.updated_at`;
const COLUMNS = `${SUMMARY}, plan.errors, plan.decision_id, ${ROW_VERSION}`;

const ROW: WorkRow = {
  table: 'plan',
  at: 'plan.created_at',
  task: 'plan.task_id',
  plan: 'plan.id',
  environment: null,
  agent: (parameter) => `plan.agent_id = ${parameter}`,
  person: (parameter) => [plansOfPerson(parameter)],
};

/** Plan revisions in PostgreSQL. */
export class TypeormPlanRepository implements PlanRepository {
  constructor(private readonly contents = new PlanContents()) {}

  async insert(tx: Tx, plan: Plan, holdings: PlanHoldings): Promise<void> {
    const row = {
      id: plan.id,
      task_id: plan.taskId,
      revision: plan.revision,
      document: canonicalJson(plan.document as Json),
      expanded: plan.expansion?.text ?? null,
      digest: plan.expansion?.digest ?? null,
      errors: plan.errors,
      decision_id: plan.decisionId,
      ...submitterColumns(plan.submitter),
      created_at: new Date(plan.createdAt),
      updated_at: new Date(plan.updatedAt),
      headline: plan.headline?.headline ?? null,
      risk: plan.headline?.risk == null ? null : TOOL_LEVELS.indexOf(plan.headline.risk),
    };
    await sqlOf(tx).query('select plan_insert($1, $2, $3, $4, $5)', [
      JSON.stringify(row),
      plan.state,
      holdings.tools.map((tool) => tool.id),
      holdings.tools.map((tool) => tool.name),
      holdings.targets,
    ]);
  }

  async find(tx: Tx, id: PlanId): Promise<Plan | undefined> {
    return this.#one(tx, 'plan.id = $2', id, '');
  }

  async lock(tx: Tx, id: PlanId): Promise<Plan | undefined> {
    return this.#one(tx, 'plan.id = $2', id, 'for update');
  }

  async lockLive(tx: Tx, taskId: TaskId): Promise<Plan | undefined> {
    return this.#one(tx, "plan.task_id = $2 and plan.state = 'validated'", taskId, 'for update');
  }

  async lastExecutedLike(tx: Tx, id: PlanId): Promise<Plan | undefined> {
    return this.#one(
      tx,
      `plan.id = (
         select run.plan_id
           from plan wanted
           join task on task.tenant_id = wanted.tenant_id and task.id = wanted.task_id
           join run on run.tenant_id = task.tenant_id and run.environment_id = task.environment_id
            and run.state = 'completed' and run.plan_id <> wanted.id
           join task executed on executed.tenant_id = run.tenant_id and executed.id = run.task_id
            and executed.spec::jsonb ->> 'task_type' = task.spec::jsonb ->> 'task_type'
          where wanted.tenant_id = $1 and wanted.id = $2
          order by run.created_at desc, run.id desc
          limit 1)`,
      id,
      '',
    );
  }

  async submittersOf(
    tx: Tx,
    taskId: TaskId,
  ): Promise<readonly { readonly planId: PlanId; readonly submitter: Submitter }[]> {
    const rows = await sqlOf(tx).query<SubmitterColumns & { readonly id: PlanId }>(
      `select id, agent_id, person_id, on_behalf_of, credential_id from plan where tenant_id = $1 and task_id = $2
        order by revision`,
      [tx.tenantId, taskId],
    );
    return rows.map((row) => ({ planId: row.id, submitter: submitterFromColumns(row) }));
  }

  async heldTools(tx: Tx, id: PlanId): Promise<readonly ToolVersionId[]> {
    const rows = await sqlOf(tx).query<{ tool_version_id: string }>(
      'select tool_version_id from plan_tool where tenant_id = $1 and plan_id = $2 order by tool_name',
      [tx.tenantId, id],
    );
    return rows.map((row) => row.tool_version_id as ToolVersionId);
  }

  async headlinesOf(tx: Tx, ids: readonly PlanId[]): Promise<ReadonlyMap<PlanId, PlanHeadline>> {
    const rows = await sqlOf(tx).query<HeadlineColumns & { readonly id: PlanId }>(
      'select id, headline, risk from plan where tenant_id = $1 and id = any ($2::uuid[]) and headline is not null',
      [tx.tenantId, ids],
    );
    return headlinesBy(rows);
  }

  async latestHeadlinesOf(tx: Tx, taskIds: readonly TaskId[]): Promise<ReadonlyMap<TaskId, PlanHeadline>> {
    const rows = await sqlOf(tx).query<HeadlineColumns & { readonly id: TaskId }>(
      `select distinct on (task_id) task_id as id, headline, risk from plan
        where tenant_id = $1 and task_id = any ($2::uuid[]) and headline is not null
        order by task_id, revision desc`,
      [tx.tenantId, taskIds],
    );
    return headlinesBy(rows);
  }

  async setState(tx: Tx, id: PlanId, state: PlanState, at: number): Promise<void> {
    await sqlOf(tx).execute('update plan set state = $3, updated_at = $4 where tenant_id = $1 and id = $2', [
      tx.tenantId,
      id,
      state,
      new Date(at),
    ]);
  }

  async withStatus(tx: Tx, id: PlanId): Promise<PlanWithStatus | undefined> {
    const rows = await sqlOf(tx).query<PlanStatusRow>(
      `select ${COLUMNS}, plan_status.status
         from plan join plan_status on plan_status.tenant_id = plan.tenant_id and plan_status.plan_id = plan.id
        where plan.tenant_id = $1 and plan.id = $2`,
      [tx.tenantId, id],
    );
    const [row] = rows;
    return row === undefined ? undefined : { plan: await this.#planOf(tx, row), status: row.status };
  }

  async list(tx: Tx, filter: PlanFilter, page: PageRequest): Promise<readonly ListedPlan[]> {
    const wanted = new WorkConditions(tx.tenantId, ROW)
      .equal('plan.task_id', filter.taskId)
      .equal('plan_status.status', filter.status);
    await wanted.filtered(tx, filter);
    const rest = wanted.page(page);
    const rows = await sqlOf(tx).query<SummaryRow & { readonly status: PlanStatus }>(
      `select ${SUMMARY}, plan_status.status
         from plan join plan_status on plan_status.tenant_id = plan.tenant_id and plan_status.plan_id = plan.id ${rest}`,
      wanted.parameters,
    );
    return rows.map((row) => ({ plan: summaryOf(row), status: row.status }));
  }

  async #one(tx: Tx, condition: string, id: string, locking: '' | 'for update'): Promise<Plan | undefined> {
    const rows = await sqlOf(tx).query<PlanRow>(
      `select ${COLUMNS} from plan where plan.tenant_id = $1 and ${condition} ${locking}`,
      [tx.tenantId, id],
    );
    const [row] = rows;
    return row === undefined ? undefined : this.#planOf(tx, row);
  }

  async #planOf(tx: Tx, row: PlanRow): Promise<Plan> {
    const content = await this.contents.of(tx, row.id as PlanId, row.row_version);
    return { ...summaryOf(row), ...content, errors: row.errors, decisionId: row.decision_id as DecisionId | null };
  }
}

const headlineOf = ({ headline, risk }: HeadlineColumns): PlanHeadline | null =>
  headline === null ? null : { headline, risk: risk === null ? null : (TOOL_LEVELS[risk] ?? 'critical') };

const headlinesBy = <Id>(rows: readonly (HeadlineColumns & { readonly id: Id })[]): ReadonlyMap<Id, PlanHeadline> =>
  new Map(
    rows.flatMap((row) => {
      const headline = headlineOf(row);
      return headline === null ? [] : [[row.id, headline] as const];
    }),
  );

const summaryOf = (row: SummaryRow): PlanSummary => ({
  id: row.id as PlanId,
  taskId: row.task_id as TaskId,
  revision: row.revision,
  state: row.state,
  expansion: row.digest === null ? null : { digest: row.digest as Digest },
  headline: headlineOf(row),
  submitter: submitterFromColumns(row),
  createdAt: row.created_at.getTime(),
  updatedAt: row.updated_at.getTime(),
});
