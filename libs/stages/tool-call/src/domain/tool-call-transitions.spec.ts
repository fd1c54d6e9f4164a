import { TOOL_CALL_STATES, type ToolCallState } from '#lib/formats';
import { TOOL_CALL_TRANSITIONS } from './tool-call-transitions.js';

const EVENTS = [
  'approve',
  'deny',
  'dispatch',
  'lapse',
  'cancel',
  'succeed',
  'fail',
  'lose',
  'resolve_succeeded',
  'resolve_failed',
] as const;

/** The whole matrix; `-` is no transition. */
const MATRIX: Readonly<Record<ToolCallState | '', readonly (ToolCallState | '-')[]>> = {
  '': ['-', 'denied', '-', '-', '-', '-', '-', '-', '-', '-'],
  pending: ['allowed', 'denied', '-', '-', '-', '-', '-', '-', '-', '-'],
  allowed: ['-', '-', 'executing', 'expired', 'denied', '-', '-', '-', '-', '-'],
  denied: ['-', '-', '-', '-', '-', '-', '-', '-', '-', '-'],
  executing: ['-', '-', '-', '-', '-', 'succeeded', 'failed', 'unknown', '-', '-'],
  succeeded: ['-', '-', '-', '-', '-', '-', '-', '-', '-', '-'],
  failed: ['-', '-', '-', '-', '-', '-', '-', '-', '-', '-'],
  unknown: ['-', '-', '-', '-', '-', '-', '-', '-', 'succeeded', 'failed'],
  expired: ['-', '-', '-', '-', '-', '-', '-', '-', '-', '-'],
};

const cells = (['', ...TOOL_CALL_STATES] as const).flatMap((state) =>
  EVENTS.map((event, index) => [state, event, MATRIX[state][index]] as const),
);

it.each(cells)('a call that is "%s", on %s: %s', (state, event, expected) => {
  const row = TOOL_CALL_TRANSITIONS.find((transition) => transition.from === state && transition.event === event);
  expect(row?.to ?? '-').toBe(expected);
});

it('the matrix names every event but the two that only begin', () => {
  expect([...new Set(TOOL_CALL_TRANSITIONS.map((row) => row.event))].sort()).toEqual(
    [...EVENTS, 'allow', 'ask'].sort(),
  );
});
