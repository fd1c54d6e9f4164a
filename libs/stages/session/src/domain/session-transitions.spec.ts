import { SESSION_ENDS, SESSION_STATES, type SessionState } from '#lib/formats';
import { END_OF, nextSessionState, SESSION_TRANSITIONS, type SessionEvent } from './session-transitions.js';

const EVENTS: readonly SessionEvent[] = ['close', 'cancel', 'rest'];

/** The whole matrix; `-` is session.ended. */
const MATRIX: Readonly<Record<SessionState, readonly (SessionState | '-')[]>> = {
  open: ['ended', 'ended', 'ended'],
  ended: ['-', '-', '-'],
};

const cells = SESSION_STATES.flatMap((state) =>
  EVENTS.map((event, index) => [state, event, MATRIX[state][index]] as const),
);

it.each(cells)('a session that is %s, on %s: %s', (state, event, expected) => {
  const next = nextSessionState(state, event);
  if (expected === '-') expect(next).toMatchObject({ ok: false, error: { kind: 'conflict', code: 'session.ended' } });
  else expect(next).toEqual({ ok: true, value: expected });
});

it('the matrix names every event of the table, and each leaves a reason of its own', () => {
  expect([...new Set(SESSION_TRANSITIONS.map((row) => row.event))].sort()).toEqual([...EVENTS, 'open'].sort());
  expect(EVENTS.map((event) => END_OF[event]).sort()).toEqual([...SESSION_ENDS].sort());
});
