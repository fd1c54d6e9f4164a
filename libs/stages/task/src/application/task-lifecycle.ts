import type { TaskState } from '#lib/formats';
import { actorOf, type AuditEvent, type AuditSink, type Principal, type Tx, type SubjectRef } from '#lib/kernel';
import type { TaskIn } from '../domain/task.js';
import type { EventIn, TaskEvent, ToState } from '../domain/task-transitions.js';
import type { TaskRepository } from './task.ports.js';

/** The state after each event, and its action in the audit log. */
const CHANGES: { readonly [E in TaskEvent]: { readonly to: ToState<E>; readonly action: string } } = {
  plan: { to: 'planned', action: 'task.planned' },
  start: { to: 'executing', action: 'task.started' },
  replan: { to: 'planned', action: 'task.replanned' },
  complete: { to: 'completed', action: 'task.completed' },
  fail: { to: 'failed', action: 'task.failed' },
  cancel: { to: 'cancelled', action: 'task.cancelled' },
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

  /** Saves and records the change. @returns the task as it is afterwards. */
  async transition<S extends TaskState, E extends EventIn<S>>(
    tx: Tx,
    task: TaskIn<S>,
    event: E,
    change: TaskChange,
  ): Promise<TaskIn<ToState<E>>> {
    const { to, action } = CHANGES[event];
    await this.tasks.setState(tx, task.id, to, change.at);
    await this.audit.record(tx, {
      action,
      actor: actorOf(change.principal),
      level: 'detailed',
      subject: { type: 'task', id: task.id },
      within: change.within ?? [{ type: 'task', id: task.id }],
      ...(change.decisionId === undefined ? {} : { decisionId: change.decisionId }),
      payload: { task_digest: task.digest, before: task.state, after: to, ...change.facts },
    });
    return { ...task, state: to, updatedAt: change.at };
  }
}
