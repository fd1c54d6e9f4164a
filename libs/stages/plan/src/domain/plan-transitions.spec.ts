import { PLAN_STATES, type PlanState } from '#lib/formats';
import { PLAN_TRANSITIONS } from './plan-transitions.js';

const EVENTS = ['refuse', 'validate', 'supersede', 'withdraw'];

/** The whole matrix; the table has no row for `-`. */
const MATRIX: Readonly<Record<PlanState, readonly (PlanState | '-')[]>> = {
  draft: ['invalid', 'validated', '-', '-'],
  invalid: ['-', '-', '-', '-'],
  validated: ['-', '-', 'superseded', 'withdrawn'],
  superseded: ['-', '-', '-', '-'],
  withdrawn: ['-', '-', '-', '-'],
};

const cells = PLAN_STATES.flatMap((state) =>
  EVENTS.map((event, index) => [state, event, MATRIX[state][index]] as const),
);

it.each(cells)('a plan that is %s, on %s: %s', (state, event, expected) => {
  const row = PLAN_TRANSITIONS.find((transition) => transition.from === state && transition.event === event);
  expect(row?.to ?? '-').toBe(expected);
});

it('the matrix names every event of the table', () => {
  expect([...new Set(PLAN_TRANSITIONS.map((row) => row.event))].sort()).toEqual([...EVENTS, 'submit'].sort());
});
