import { canonicalJson, type Json } from '#lib/canonical';
import { type TaskSpec, taskSpecSchema, type TaskState } from '#lib/formats';
import { digestText, newId, type Principal, type TaskId, type Tx } from '#lib/kernel';
import type { SampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { submitterOf, type Task } from '../domain/task.js';
import type { TaskRepository } from './task.ports.js';

/** A task as CreateTask would make it, of the tenant's agent. */
export function sampleTask(
  tenant: SampleTenant,
  {
    by = tenant.agent,
    spec: wanted = {},
    ...members
  }: Partial<Omit<Task, 'spec'>> & { readonly by?: Principal; readonly spec?: Partial<TaskSpec> } = {},
): Task {
  const spec = taskSpecSchema.parse({
    goal: 'Remediate drift on 47 production web servers',
    task_type: 'drift_remediation',
    environment: tenant.production.name,
    ...wanted,
  });
  const submitter = submitterOf(by);
  if (!submitter.ok) throw new Error(submitter.error.code);
  const specText = canonicalJson(spec as Json);
  const createdAt = members.createdAt ?? Date.UTC(2026, 0, 5, 8);
  return {
    id: newId<TaskId>(),
    environmentId: tenant.production.id,
    state: 'created',
    spec,
    specText,
    digest: digestText('task', specText),
    submitter: submitter.value,
    createdAt,
    updatedAt: createdAt,
    ...members,
  };
}

/** The way of a new task into each state. */
const WAYS: Readonly<Record<TaskState, readonly TaskState[]>> = {
  created: [],
  planned: ['planned'],
  executing: ['planned', 'executing'],
  completed: ['planned', 'executing', 'completed'],
  failed: ['planned', 'executing', 'failed'],
  cancelled: ['cancelled'],
};

/** Inserts a task, and moves it along the lifecycle into a state. */
export async function keepTask(
  tx: Tx,
  tasks: Pick<TaskRepository, 'insert' | 'setState'>,
  task: Task,
  state: TaskState = 'created',
): Promise<Task> {
  await tasks.insert(tx, task);
  for (const next of WAYS[state]) await tasks.setState(tx, task.id, next, task.createdAt);
  return { ...task, state };
}
