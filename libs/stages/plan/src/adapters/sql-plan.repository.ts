import { canonicalJson, type Json } from '#lib/canonical';
import { TOOL_LEVELS, type PlanState, type PlanStatus } from '#lib/formats';
import { rowsOf, sqlOf } from '#lib/database';
import type { PageRequest, PlanId, TaskId, ToolVersionId, Tx } from '#lib/kernel';
import { plansOfPerson, storedSubmitter, submitterIn, SqlWorkConditions, taskEntity, type WorkRow } from '#lib/task';
import type { PlanFilter, PlanHoldings, PlanRepository } from '../application/plan.ports.js';
import type { PlanHeadline } from '../domain/plan-headline.js';
import type { ListedPlan, LiveRevision, Plan, PlanSummary, PlanWithStatus } from '../domain/plan.js';
import { liveRevisionOf } from './live-revision.js';
import { SqlPlanContents, ROW_VERSION } from './sql-plan-contents.js';
import { planEntity, planToolEntity } from './plan.entity.js';

const PLAN = planEntity.as('plan');
const TASK = taskEntity.as('task');
const WANTED = planEntity.as('wanted');
const EXECUTED = taskEntity.as('executed');

const SUMMARY = planEntity.pick(
  'id',
  'taskId',
  'revision',
  'state',
  'digest',
  'headline',
  'risk',
  'agentId',
  'personId',
  'onBehalfOf',
  'credentialId',
  'createdAt',
  'updatedAt',
);
const REST = planEntity.pick('errors', 'decisionId');
const HEADLINE = planEntity.pick('headline', 'risk');
const REVISION = `${SUMMARY.columns('plan')}, ${REST.columns('plan')}, ${ROW_VERSION}`;

type SummaryRow = NonNullable<typeof SUMMARY.holds>;
type HeadlineRow = NonNullable<typeof HEADLINE.holds>;
type RevisionRow = SummaryRow & { readonly row_version: string };

const ROW: WorkRow = {
  table: 'plan',
  at: PLAN.createdAt,
  task: PLAN.taskId,
  plan: PLAN.id,
  environment: null,
  agent: (parameter) => `${PLAN.agentId} = ${parameter}`,
  person: (parameter) => [plansOfPerson(parameter)],
};

/** Plan revisions in PostgreSQL. */
export class SqlPlanRepository implements PlanRepository {
  constructor(private readonly contents = new SqlPlanContents()) {}

  async insert(tx: Tx, plan: Plan, holdings: PlanHoldings): Promise<void> {
    const { headline = null, risk = null } = plan.headline ?? {};
    const row = {
      ...plan,
      ...storedSubmitter(plan.submitter),
      // A schema read it from JSON.
      document: canonicalJson(plan.document as Json),
      expanded: plan.expansion?.text ?? null,
      digest: plan.expansion?.digest ?? null,
      headline,
      risk: risk === null ? null : TOOL_LEVELS.indexOf(risk),
    };
    await sqlOf(tx).query('select plan_insert($1, $2, $3, $4, $5)', [
      planEntity.all.documentOf(row),
      plan.state,
      holdings.tools.map((tool) => tool.id),
      holdings.tools.map((tool) => tool.name),
      holdings.targets,
    ]);
  }

  async find(tx: Tx, id: PlanId): Promise<Plan | null> {
    return this.#one(tx, `${PLAN.id} = $2`, id, '');
  }

  async lock(tx: Tx, id: PlanId): Promise<Plan | null> {
    return this.#one(tx, `${PLAN.id} = $2`, id, 'for update');
  }

  async lockLive(tx: Tx, taskId: TaskId): Promise<LiveRevision | null> {
    const row = await rowsOf(tx, planEntity).findOne(
      { taskId, state: 'validated' },
      { only: ['id', 'revision', 'digest'], lock: 'update' },
    );
    return row === null ? null : liveRevisionOf(taskId, row);
  }

  async lastExecutedLike(tx: Tx, id: PlanId): Promise<Plan | null> {
    return this.#one(
      tx,
      `${PLAN.id} = (
         select run.plan_id
           from plan wanted
           join task on task.tenant_id = wanted.tenant_id and ${TASK.id} = ${WANTED.taskId}
           join run on run.tenant_id = task.tenant_id and run.environment_id = ${TASK.environmentId}
            and run.state = 'completed' and run.plan_id <> ${WANTED.id}
           join task executed on executed.tenant_id = run.tenant_id and ${EXECUTED.id} = run.task_id
            and ${EXECUTED.spec}::jsonb ->> 'task_type' = ${TASK.spec}::jsonb ->> 'task_type'
          where wanted.tenant_id = $1 and ${WANTED.id} = $2
          order by run.created_at desc, run.id desc
          limit 1)`,
      id,
      '',
    );
  }

  async heldTools(tx: Tx, planId: PlanId): Promise<readonly ToolVersionId[]> {
    const rows = await rowsOf(tx, planToolEntity).find({ planId }, { order: { toolName: 'asc' } });
    return rows.map(({ toolVersionId }) => toolVersionId);
  }

  async latestHeadlinesOf(tx: Tx, taskIds: readonly TaskId[]): Promise<ReadonlyMap<TaskId, PlanHeadline>> {
    const rows = await sqlOf(tx).query<HeadlineRow & { readonly id: TaskId }>(
      `select distinct on (${PLAN.taskId}) ${PLAN.taskId} as id, ${HEADLINE.columns('plan')} from plan
        where tenant_id = $1 and ${PLAN.taskId} = any ($2::uuid[]) and ${PLAN.headline} is not null
        order by ${PLAN.taskId}, ${PLAN.revision} desc`,
      [tx.tenantId, taskIds],
    );
    return new Map(
      rows.flatMap((row) => {
        const headline = headlineOf(row);
        return headline === null ? [] : [[row.id, headline] as const];
      }),
    );
  }

  async setState(tx: Tx, id: PlanId, state: PlanState, at: number): Promise<void> {
    await rowsOf(tx, planEntity).update({ id }, { state, updatedAt: at });
  }

  async withStatus(tx: Tx, id: PlanId): Promise<PlanWithStatus | null> {
    const rows = await sqlOf(tx).query<RevisionRow & { readonly status: PlanStatus }>(
      `select ${REVISION}, plan_status.status
         from plan join plan_status on plan_status.tenant_id = plan.tenant_id and plan_status.plan_id = ${PLAN.id}
        where plan.tenant_id = $1 and ${PLAN.id} = $2`,
      [tx.tenantId, id],
    );
    const [row] = rows;
    return row === undefined ? null : { plan: await this.#planOf(tx, row), status: row.status };
  }

  async list(tx: Tx, filter: PlanFilter, page: PageRequest): Promise<readonly ListedPlan[]> {
    const wanted = new SqlWorkConditions(tx.tenantId, ROW)
      .equal(PLAN.taskId, filter.taskId)
      .equal('plan_status.status', filter.status);
    await wanted.filtered(tx, filter);
    const rest = wanted.page(page);
    const rows = await sqlOf(tx).query<SummaryRow & { readonly status: PlanStatus }>(
      `select ${SUMMARY.columns('plan')}, plan_status.status
         from plan join plan_status on plan_status.tenant_id = plan.tenant_id and plan_status.plan_id = ${PLAN.id} ${rest}`,
      wanted.parameters,
    );
    return rows.map((row) => ({ plan: summaryOf(row), status: row.status }));
  }

  async #one(tx: Tx, condition: string, id: string, locking: '' | 'for update'): Promise<Plan | null> {
    const rows = await sqlOf(tx).query<RevisionRow>(
      `select ${REVISION} from plan where plan.tenant_id = $1 and ${condition} ${locking}`,
      [tx.tenantId, id],
    );
    const [row] = rows;
    return row === undefined ? null : this.#planOf(tx, row);
  }

  async #planOf(tx: Tx, row: RevisionRow): Promise<Plan> {
    const { errors, decisionId } = REST.row(row);
    return { ...summaryOf(row), ...(await this.contents.of(tx, row.id, row.row_version)), errors, decisionId };
  }
}

const headlineOf = ({ headline, risk }: HeadlineRow): PlanHeadline | null =>
  headline === null ? null : { headline, risk: TOOL_LEVELS[risk ?? -1] ?? 'critical' };

function summaryOf(stored: SummaryRow): PlanSummary {
  const { id, taskId, revision, state, digest, createdAt, updatedAt, ...row } = SUMMARY.row(stored);
  const expansion = digest === null ? null : { digest };
  const headline = headlineOf(row);
  return { id, taskId, revision, state, expansion, headline, submitter: submitterIn(row), createdAt, updatedAt };
}
