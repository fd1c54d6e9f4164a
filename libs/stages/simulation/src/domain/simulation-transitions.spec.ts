import { SIMULATION_STATES, type SimulationState } from '#lib/formats';
import { nextSimulationState, SIMULATION_TRANSITIONS, type SimulationEvent } from './simulation-transitions.js';

const EVENTS: readonly SimulationEvent[] = ['begin', 'succeed', 'fail', 'outdate'];

/** The whole matrix; `-` is simulation.illegal_transition. */
const MATRIX: Readonly<Record<SimulationState, readonly (SimulationState | '-')[]>> = {
  pending: ['running', '-', '-', '-'],
  running: ['-', 'succeeded', 'failed', '-'],
  succeeded: ['-', '-', '-', 'stale'],
  failed: ['-', '-', '-', '-'],
  stale: ['-', '-', '-', '-'],
};

const cells = SIMULATION_STATES.flatMap((state) =>
  EVENTS.map((event, index) => [state, event, MATRIX[state][index]] as const),
);

it.each(cells)('a simulation that is %s, on %s: %s', (state, event, expected) => {
  const next = nextSimulationState(state, event);
  if (expected === '-')
    expect(next).toMatchObject({ ok: false, error: { kind: 'conflict', code: 'simulation.illegal_transition' } });
  else expect(next).toEqual({ ok: true, value: expected });
});

it('the matrix names every event of the table', () => {
  expect([...new Set(SIMULATION_TRANSITIONS.map((row) => row.event))].sort()).toEqual([...EVENTS, 'ask'].sort());
});
