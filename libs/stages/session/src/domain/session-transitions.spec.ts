import { SESSION_ENDS, SESSION_STATES, type SessionState } from '#lib/formats';
import { END_OF, SESSION_TRANSITIONS, type SessionEvent } from './session-transitions.js';

const EVENTS: readonly SessionEvent[] = ['close', 'cancel', 'rest'];

/** The whole matrix; the table has no row for `-`. */
const MATRIX: Readonly<Record<SessionState, readonly (SessionState | '-')[]>> = {
  open: ['ended', 'ended', 'ended'],
  ended: ['-', '-', '-'],
};

const cells = SESSION_STATES.flatMap((state) =>
  EVENTS.map((event, index) => [state, event, MATRIX[state][index]] as const),
);

it.each(cells)('a session that is %s, on %s: %s', (state, event, expected) => {
  const row = SESSION_TRANSITIONS.find((transition) => transition.from === state && transition.event === event);
  expect(row?.to ?? '-').toBe(expected);
});

it('the matrix names every event of the table, and each leaves a reason of its own', () => {
  expect([...new Set(SESSION_TRANSITIONS.map((row) => row.event))].sort()).toEqual([...EVENTS, 'open'].sort());
  expect(EVENTS.map((event) => END_OF[event]).sort()).toEqual([...SESSION_ENDS].sort());
});
