import type { TaskState } from '#lib/formats';

/**
 * The task's lifecycle; migrations/0100_task.sql holds the same rows.
 *
 *   created ──plan──▶ planned ──start──▶ executing ──complete──▶ completed
 *      │                │ ▲                 │  │
 *      │                │ └────replan───────┘  └──fail──▶ failed
 *      │                └──cancel──▶ cancelled
 *      └──cancel──▶ cancelled
 */
export const TASK_TRANSITIONS = [
  { from: '', event: 'create', to: 'created' },
  { from: 'created', event: 'plan', to: 'planned' },
  { from: 'created', event: 'cancel', to: 'cancelled' },
  { from: 'planned', event: 'start', to: 'executing' },
  { from: 'planned', event: 'cancel', to: 'cancelled' },
  { from: 'executing', event: 'replan', to: 'planned' },
  { from: 'executing', event: 'complete', to: 'completed' },
  { from: 'executing', event: 'fail', to: 'failed' },
] as const satisfies readonly { from: TaskState | ''; event: string; to: TaskState }[];

type Transition = (typeof TASK_TRANSITIONS)[number];

/** The events of a task after its creation. */
export type TaskEvent = Exclude<Transition['event'], 'create'>;

/** The states that an event is legal in. */
type FromState<E extends TaskEvent> = Extract<Transition, { readonly event: E }>['from'];

/** The state after an event. */
export type ToState<E extends TaskEvent> = Extract<Transition, { readonly event: E }>['to'];

/** The events that are legal in each of these states. */
export type EventIn<S extends TaskState> = {
  [E in TaskEvent]: [S] extends [FromState<E>] ? E : never;
}[TaskEvent];
