import { TASK_STATES, type TaskState } from '#lib/formats';
import { type EventIn, TASK_TRANSITIONS } from './task-transitions.js';

const EVENTS = ['plan', 'start', 'replan', 'complete', 'fail', 'cancel'];

/** The whole matrix; the table has no row for `-`. */
const MATRIX: Readonly<Record<TaskState, readonly (TaskState | '-')[]>> = {
  //           plan       start        replan     complete     fail      cancel
  created: ['planned', '-', '-', '-', '-', 'cancelled'],
  planned: ['-', 'executing', '-', '-', '-', 'cancelled'],
  executing: ['-', '-', 'planned', 'completed', 'failed', '-'],
  completed: ['-', '-', '-', '-', '-', '-'],
  failed: ['-', '-', '-', '-', '-', '-'],
  cancelled: ['-', '-', '-', '-', '-', '-'],
};

const cells = TASK_STATES.flatMap((state) =>
  EVENTS.map((event, index) => [state, event, MATRIX[state][index]] as const),
);

it.each(cells)('a task that is %s, on %s: %s', (state, event, expected) => {
  const row = TASK_TRANSITIONS.find((transition) => transition.from === state && transition.event === event);
  expect(row?.to ?? '-').toBe(expected);
});

it('the matrix names every event of the table', () => {
  expect([...new Set(TASK_TRANSITIONS.map((row) => row.event))].sort()).toEqual([...EVENTS, 'create'].sort());
});

it('the compiler knows the common events of several states', () => {
  const legal: readonly EventIn<'created' | 'planned'>[] = ['cancel'];
  // @ts-expect-error -- a planned task is not planned again
  const illegal: readonly EventIn<'created' | 'planned'>[] = ['plan'];
  expect([legal, illegal]).toEqual([['cancel'], ['plan']]);
});
