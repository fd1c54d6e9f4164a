import { SIMULATION_STATES, type SimulationState } from '#lib/formats';
import { SIMULATION_TRANSITIONS } from './simulation-transitions.js';

const EVENTS = ['begin', 'succeed', 'fail', 'outdate'];

/** The whole matrix; the table has no row for `-`. */
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
  const row = SIMULATION_TRANSITIONS.find((transition) => transition.from === state && transition.event === event);
  expect(row?.to ?? '-').toBe(expected);
});

it('the matrix names every event of the table', () => {
  expect([...new Set(SIMULATION_TRANSITIONS.map((row) => row.event))].sort()).toEqual([...EVENTS, 'ask'].sort());
});
