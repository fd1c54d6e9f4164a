import {
  actorOf,
  type AuditEvent,
  type AuditSink,
  err,
  ok,
  type Principal,
  type Result,
  type Tx,
  type SubjectRef,
} from '#lib/kernel';
import type { Task } from '../domain/task.js';
import { nextTaskState, type TaskEvent } from '../domain/task-transitions.js';
import type { TaskRepository } from './task.ports.js';

/** The task's actions in the audit log. */
const ACTIONS: Readonly<Record<TaskEvent, string>> = {
  plan: 'task.planned',
  start: 'task.started',
  replan: 'task.replanned',
  complete: 'task.completed',
  fail: 'task.failed',
  cancel: 'task.cancelled',
};

/** The reason why a task changes its state, for the audit log. */
export interface TaskChange {
  readonly principal: Principal;
  readonly at: number;
  readonly decisionId?: AuditEvent['decisionId'];
  /** The things that it happened in, if there are more than the task. */
  readonly within?: readonly SubjectRef[];
  /** Further members of the entry; never secrets. */
  readonly facts?: Readonly<Record<string, string | number | null>>;
}

/** Moves tasks along their lifecycle; later stages use it within their own transactions, on a task they have locked. */
export class TaskLifecycle {
  constructor(
    private readonly tasks: TaskRepository,
    private readonly audit: AuditSink,
  ) {}

  /** Saves and records the change. The task as it is afterwards, or `task.illegal_transition` with nothing done. */
  async transition(tx: Tx, task: Task, event: TaskEvent, change: TaskChange): Promise<Result<Task>> {
    const next = nextTaskState(task.state, event);
    if (!next.ok) return err(next.error);
    await this.tasks.setState(tx, task.id, next.value, change.at);
    await this.audit.record(tx, {
      action: ACTIONS[event],
      actor: actorOf(change.principal),
      level: 'detailed',
      subject: { type: 'task', id: task.id },
      within: change.within ?? [{ type: 'task', id: task.id }],
      ...(change.decisionId === undefined ? {} : { decisionId: change.decisionId }),
      payload: { task_digest: task.digest, before: task.state, after: next.value, ...change.facts },
    });
    return ok({ ...task, state: next.value, updatedAt: change.at });
  }
}
