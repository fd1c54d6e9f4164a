import { canBeUndone, MOVE_TRANSITIONS, stateAfter, type MoveState } from './move-state.js';

const STATES = [...new Set(MOVE_TRANSITIONS.map(([, , to]) => to))];
const EVENTS = [...new Set(MOVE_TRANSITIONS.map(([, event]) => event))];

describe('the states of a move', () => {
  it('lead from each to the next, and nowhere from an end', () => {
    const table = Object.fromEntries(
      ['' as const, ...STATES].map((state) => [
        state,
        Object.fromEntries(
          EVENTS.flatMap((event) => [[event, stateAfter(state, event)]]).filter(([, to]) => to !== null),
        ),
      ]),
    );
    expect(table).toEqual({
      '': { begin: 'copying', expect: 'arriving' },
      copying: { catch_up: 'caught_up', undo: 'undone' },
      caught_up: { drain: 'draining', undo: 'undone' },
      draining: { freeze: 'frozen', expire: 'copying', undo: 'undone' },
      frozen: { unfreeze: 'draining', compare: 'compared', expire: 'copying', undo: 'undone' },
      compared: { switch: 'switched', expire: 'copying', undo: 'undone' },
      switched: { finish: 'done', undo: 'undone' },
      done: { forget: 'forgotten' },
      arriving: { arrive: 'arrived', undo: 'undone' },
      arrived: {},
      undone: {},
      forgotten: {},
    });
  });

  it.each<[MoveState, boolean]>([
    ['copying', true],
    ['caught_up', true],
    ['draining', true],
    ['frozen', true],
    ['compared', true],
    ['switched', true],
    ['done', false],
    ['undone', false],
  ])('%s can be undone: %s', (state, undone) => {
    expect(canBeUndone(state)).toBe(undone);
  });
});
