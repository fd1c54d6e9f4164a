import { TASK_STATES, type TaskState } from '#lib/formats';
import { nextTaskState, TASK_TRANSITIONS, type TaskEvent } from './task-transitions.js';

const EVENTS: readonly TaskEvent[] = ['plan', 'start', 'replan', 'complete', 'fail', 'cancel'];

/** The whole matrix; `-` is task.illegal_transition. */
const MATRIX: Readonly<Record<TaskState, readonly (TaskState | '-')[]>> = {
  //           plan       start        replan     complete     fail      cancel
  created: ['planned', '-', '-', '-', '-', 'cancelled'],
  planned: ['-', 'executing', '-', '-', '-', 'cancelled'],
  executing: ['-', '-', 'planned', 'completed', 'failed', 'cancelled'],
  completed: ['-', '-', '-', '-', '-', '-'],
  failed: ['-', '-', '-', '-', '-', '-'],
  cancelled: ['-', '-', '-', '-', '-', '-'],
};

const cells = TASK_STATES.flatMap((state) =>
  EVENTS.map((event, index) => [state, event, MATRIX[state][index]] as const),
);

it.each(cells)('a task that is %s, on %s: %s', (state, event, expected) => {
  const next = nextTaskState(state, event);
  if (expected === '-')
    expect(next).toMatchObject({ ok: false, error: { kind: 'conflict', code: 'task.illegal_transition' } });
  else expect(next).toEqual({ ok: true, value: expected });
});

it('the matrix names every event of the table', () => {
  expect([...new Set(TASK_TRANSITIONS.map((row) => row.event))].sort()).toEqual([...EVENTS, 'create'].sort());
});
