/**
 * The states of a move, as tenant_move_transition in migrations/0250_tenant_move.sql has them.
 *
 *   source:  copying → caught_up → draining ⇄ frozen → compared → switched → done → forgotten
 *   target:  arriving → arrived
 *
 *   copying again from draining, frozen and compared, if one of them lasts too long.
 *   undone from every state before done and arrived
 */
export const MOVE_TRANSITIONS = [
  ['', 'begin', 'copying'],
  ['', 'expect', 'arriving'],
  ['copying', 'catch_up', 'caught_up'],
  ['copying', 'undo', 'undone'],
  ['caught_up', 'drain', 'draining'],
  ['caught_up', 'undo', 'undone'],
  ['draining', 'freeze', 'frozen'],
  ['draining', 'expire', 'copying'],
  ['draining', 'undo', 'undone'],
  ['frozen', 'unfreeze', 'draining'],
  ['frozen', 'compare', 'compared'],
  ['frozen', 'expire', 'copying'],
  ['frozen', 'undo', 'undone'],
  ['compared', 'switch', 'switched'],
  ['compared', 'expire', 'copying'],
  ['compared', 'undo', 'undone'],
  ['switched', 'finish', 'done'],
  ['switched', 'undo', 'undone'],
  ['done', 'forget', 'forgotten'],
  ['arriving', 'arrive', 'arrived'],
  ['arriving', 'undo', 'undone'],
] as const satisfies readonly (readonly [from: string, event: string, to: string])[];

export type MoveState = (typeof MOVE_TRANSITIONS)[number][2];
export type MoveEvent = (typeof MOVE_TRANSITIONS)[number][1];

/** The state after an event; null if the state knows no such event. */
export const stateAfter = (state: MoveState | '', event: MoveEvent): MoveState | null =>
  MOVE_TRANSITIONS.find(([from, of]) => from === state && of === event)?.[2] ?? null;

/** Until it is done. Once it is switched, the target must not have served the tenant. */
export const canBeUndone = (state: MoveState): boolean => stateAfter(state, 'undo') !== null;

/** Whether the tenant is held meanwhile, for a bounded time. */
export const isHeld = (state: MoveState): boolean => stateAfter(state, 'expire') !== null;
