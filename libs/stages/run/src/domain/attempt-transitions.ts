import type { AttemptState } from '#lib/formats';

/**
 * Step attempt lifecycle. The rows of `attempt_transition` (migrations/0140_run.sql) are the same table; a test compares
 * them.
 *
 *   pending ──dispatch──▶ dispatched ──succeed──▶ succeeded ──compensate──▶ compensating ──undo──▶ compensated
 *                         dispatched ──fail──▶ failed ──retry──▶ pending
 *                                              compensating ──fail_to_undo──▶ compensation_failed
 *   dispatched, compensating ──lose──▶ unknown
 *   unknown ──resolve_happened──▶ succeeded      unknown ──resolve_did_not──▶ failed          (of the call)
 *   unknown ──resolve_undone──▶ compensated      unknown ──resolve_not_undone──▶ succeeded    (of its compensation)
 */
export const ATTEMPT_TRANSITIONS = [
  ['', 'create', 'pending'],
  ['pending', 'dispatch', 'dispatched'],
  ['dispatched', 'succeed', 'succeeded'],
  ['dispatched', 'fail', 'failed'],
  ['dispatched', 'lose', 'unknown'],
  ['unknown', 'resolve_happened', 'succeeded'],
  ['unknown', 'resolve_did_not', 'failed'],
  ['unknown', 'resolve_undone', 'compensated'],
  ['unknown', 'resolve_not_undone', 'succeeded'],
  ['failed', 'retry', 'pending'],
  ['succeeded', 'compensate', 'compensating'],
  ['compensating', 'undo', 'compensated'],
  ['compensating', 'fail_to_undo', 'compensation_failed'],
  ['compensating', 'lose', 'unknown'],
] as const satisfies readonly (readonly ['' | AttemptState, string, AttemptState])[];

type Transition = (typeof ATTEMPT_TRANSITIONS)[number];
type AttemptEventName = Exclude<Transition[1], 'create'>;

/** The states that an event is legal in. */
export type FromState<E extends AttemptEventName> = Exclude<Extract<Transition, readonly [string, E, string]>[0], ''>;

/** The state after an event. */
export type ToState<E extends AttemptEventName> = Extract<Transition, readonly [string, E, string]>[2];
