import { taskSpecSchema, type TaskState } from '#lib/formats';
import { ParsedTexts, rowsOf, sqlOf, type RowOf } from '#lib/database';
import type { PageRequest, TaskId, Tx } from '#lib/kernel';
import type { TaskFilter, TaskRepository } from '../application/task.ports.js';
import type { Task } from '../domain/task.js';
import { storedSubmitter, submitterIn } from './submitter-columns.js';
import { taskEntity } from './task.entity.js';
import { askedBy, SqlWorkConditions, type WorkRow } from './sql-work-conditions.js';

const TASK = taskEntity.as('task');

const ROW: WorkRow = {
  table: 'task',
  at: TASK.createdAt,
  task: TASK.id,
  plan: null,
  environment: TASK.environmentId,
  agent: (parameter) => `${TASK.agentId} = ${parameter}`,
  person: (parameter) => [
    ...askedBy('task', parameter),
    `select asked.task_id from approval_request asked
       join review on review.tenant_id = asked.tenant_id and review.request_id = asked.id
      where review.tenant_id = $1 and review.person_id = ${parameter}`,
  ],
};

/** Tasks in PostgreSQL. */
export class SqlTaskRepository implements TaskRepository {
  insert(tx: Tx, task: Task): Promise<void> {
    const { specText: spec, digest: specDigest, submitter } = task;
    return rowsOf(tx, taskEntity).insert({ ...task, ...storedSubmitter(submitter), spec, specDigest });
  }

  async find(tx: Tx, id: TaskId): Promise<Task | null> {
    const row = await rowsOf(tx, taskEntity).findOne({ id });
    return row === null ? null : taskOf(row);
  }

  async lock(tx: Tx, id: TaskId): Promise<Task | null> {
    const row = await rowsOf(tx, taskEntity).findOne({ id }, { lock: 'update' });
    return row === null ? null : taskOf(row);
  }

  async list(tx: Tx, filter: TaskFilter, page: PageRequest): Promise<readonly Task[]> {
    const wanted = new SqlWorkConditions(tx.tenantId, ROW).equal(TASK.state, filter.state);
    await wanted.filtered(tx, filter);
    const rest = wanted.page(page);
    const rows = await sqlOf(tx).query<object>(
      `select ${TASK_ROW.columns('task')} from task ${rest}`,
      wanted.parameters,
    );
    return rows.map((row) => taskOf(TASK_ROW.row(row)));
  }

  async setState(tx: Tx, id: TaskId, state: TaskState, at: number): Promise<void> {
    await rowsOf(tx, taskEntity).update({ id }, { state, updatedAt: at });
  }
}

const TASK_ROW = taskEntity.all;

const specs = new ParsedTexts('task', 'spec', taskSpecSchema);

export const taskOf = ({ spec, ...row }: RowOf<typeof taskEntity>): Task => ({
  id: row.id,
  environmentId: row.environmentId,
  state: row.state,
  spec: specs.of(spec, row.id),
  specText: spec,
  digest: row.specDigest,
  submitter: submitterIn(row),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});
