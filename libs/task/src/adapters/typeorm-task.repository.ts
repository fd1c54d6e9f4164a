import { parseStrictJson } from '#lib/canonical';
import { taskSpecSchema, type TaskState } from '#lib/contracts';
import { sqlOf } from '#lib/database';
import type { Digest, EnvironmentId, PageRequest, TaskId, Tx } from '#lib/kernel';
import type { TaskFilter, TaskRepository } from '../application/task.ports.js';
import type { Task } from '../domain/task.js';
import { type SubmitterColumns, submitterColumns, submitterFromColumns } from './submitter-columns.js';
import { askedBy, WorkConditions, type WorkRow } from './work-conditions.js';

interface TaskRow extends SubmitterColumns {
  readonly id: string;
  readonly environment_id: string;
  readonly state: TaskState;
  readonly spec: string;
  readonly spec_digest: string;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const COLUMNS =
  'id, environment_id, state, spec, spec_digest, agent_id, person_id, on_behalf_of, credential_id, created_at, updated_at';

const ROW: WorkRow = {
  table: 'task',
  at: 'task.created_at',
  task: 'task.id',
  plan: null,
  environment: 'task.environment_id',
  agent: (parameter) => `task.agent_id = ${parameter}`,
  person: (parameter) => [
    ...askedBy('task', parameter),
    `select asked.task_id from approval_request asked
       join review on review.tenant_id = asked.tenant_id and review.request_id = asked.id
      where review.tenant_id = $1 and review.person_id = ${parameter}`,
  ],
};

/** Tasks in PostgreSQL. */
export class TypeormTaskRepository implements TaskRepository {
  async insert(tx: Tx, task: Task): Promise<void> {
    const submitter = submitterColumns(task.submitter);
    await sqlOf(tx).query(
      `insert into task (tenant_id, id, environment_id, state, spec, spec_digest, agent_id, person_id, on_behalf_of,
                         credential_id, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [
        tx.tenantId,
        task.id,
        task.environmentId,
        task.state,
        task.specText,
        task.digest,
        submitter.agent_id,
        submitter.person_id,
        submitter.on_behalf_of,
        submitter.credential_id,
        new Date(task.createdAt),
        new Date(task.updatedAt),
      ],
    );
  }

  async find(tx: Tx, id: TaskId): Promise<Task | undefined> {
    return this.#one(tx, id, '');
  }

  async lock(tx: Tx, id: TaskId): Promise<Task | undefined> {
    return this.#one(tx, id, 'for update');
  }

  async list(tx: Tx, filter: TaskFilter, page: PageRequest): Promise<readonly Task[]> {
    const wanted = new WorkConditions(tx.tenantId, ROW).equal('task.state', filter.state);
    await wanted.filtered(tx, filter);
    const rest = wanted.page(page);
    const rows = await sqlOf(tx).query<TaskRow>(`select ${COLUMNS} from task ${rest}`, wanted.parameters);
    return rows.map(taskOf);
  }

  async setState(tx: Tx, id: TaskId, state: TaskState, at: number): Promise<void> {
    await sqlOf(tx).query('update task set state = $3, updated_at = $4 where tenant_id = $1 and id = $2', [
      tx.tenantId,
      id,
      state,
      new Date(at),
    ]);
  }

  async #one(tx: Tx, id: TaskId, locking: '' | 'for update'): Promise<Task | undefined> {
    const rows = await sqlOf(tx).query<TaskRow>(
      `select ${COLUMNS} from task where tenant_id = $1 and id = $2 ${locking}`,
      [tx.tenantId, id],
    );
    return rows.map(taskOf)[0];
  }
}

const taskOf = (row: TaskRow): Task => ({
  id: row.id as TaskId,
  environmentId: row.environment_id as EnvironmentId,
  state: row.state,
  spec: taskSpecSchema.parse(parseStrictJson(row.spec)),
  specText: row.spec,
  digest: row.spec_digest as Digest,
  submitter: submitterFromColumns(row),
  createdAt: row.created_at.getTime(),
  updatedAt: row.updated_at.getTime(),
});
