import { PLAN_STATES, type PlanState } from '#lib/formats';
import { nextPlanState, PLAN_TRANSITIONS, type PlanEvent } from './plan-transitions.js';

const EVENTS: readonly PlanEvent[] = ['refuse', 'validate', 'supersede', 'withdraw'];

/** The whole matrix; `-` is plan.illegal_transition. */
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
  const next = nextPlanState(state, event);
  if (expected === '-')
    expect(next).toMatchObject({ ok: false, error: { kind: 'conflict', code: 'plan.illegal_transition' } });
  else expect(next).toEqual({ ok: true, value: expected });
});

it('the matrix names every event of the table', () => {
  expect([...new Set(PLAN_TRANSITIONS.map((row) => row.event))].sort()).toEqual([...EVENTS, 'submit'].sort());
});
