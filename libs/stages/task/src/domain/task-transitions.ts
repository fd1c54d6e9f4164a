import { err, ok, type Failure, type Result } from '#lib/kernel';
import { stateInWords } from '#lib/words';
import type { TaskState } from '#lib/formats';

/**
 * The task's lifecycle; migrations/0100_task.sql holds the same rows.
 *
 *   created ──plan──▶ planned ──start──▶ executing ──complete──▶ completed
 *      │                │ ▲                 │  │
 *      │                │ └────replan───────┘  ├──fail──▶ failed
 *      └──cancel──▶ cancelled ◀──cancel────────┘
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
  { from: 'executing', event: 'cancel', to: 'cancelled' },
] as const satisfies readonly { from: TaskState | ''; event: string; to: TaskState }[];

/** The events of a task after its creation. */
export type TaskEvent = Exclude<(typeof TASK_TRANSITIONS)[number]['event'], 'create'>;

/** The state after `event`, or `task.illegal_transition`. */
export function nextTaskState(state: TaskState, event: TaskEvent): Result<TaskState> {
  const row = TASK_TRANSITIONS.find((transition) => transition.from === state && transition.event === event);
  return row === undefined ? err(illegalTransition(state, event)) : ok(row.to);
}

const PARTICIPLES: Readonly<Record<TaskEvent, string>> = {
  plan: 'planned',
  cancel: 'cancelled',
  start: 'started',
  replan: 'planned anew',
  complete: 'completed',
  fail: 'marked as failed',
};

const illegalTransition = (state: TaskState, event: TaskEvent): Failure => ({
  kind: 'conflict',
  code: 'task.illegal_transition',
  message: `A task that ${state === 'failed' ? 'has' : 'is'} ${stateInWords(state)} cannot be ${PARTICIPLES[event]}.`,
  action: 'Read the task again and decide from the state it is in now.',
  details: { state, event },
});
