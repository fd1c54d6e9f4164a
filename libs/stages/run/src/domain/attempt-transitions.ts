import type { AttemptState } from '#lib/formats';
import { err, ok, type Result } from '#lib/kernel';
import { stateInWords } from '#lib/words';

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

export type AttemptEventName = Exclude<(typeof ATTEMPT_TRANSITIONS)[number][1], 'create'>;

export const ATTEMPT_EVENTS: readonly AttemptEventName[] = [
  'dispatch',
  'succeed',
  'fail',
  'lose',
  'resolve_happened',
  'resolve_did_not',
  'resolve_undone',
  'resolve_not_undone',
  'retry',
  'compensate',
  'undo',
  'fail_to_undo',
];

const EVENT_WORDS: Readonly<Record<AttemptEventName, string>> = {
  dispatch: 'be dispatched',
  succeed: 'succeed',
  fail: 'fail',
  lose: 'become unknown',
  resolve_happened: 'be resolved',
  resolve_did_not: 'be resolved',
  resolve_undone: 'be resolved',
  resolve_not_undone: 'be resolved',
  retry: 'be tried again',
  compensate: 'be undone',
  undo: 'have been undone',
  fail_to_undo: 'fail to be undone',
};

/** The state after an event, or `run_step.wrong_state`. */
export function nextAttemptState(from: AttemptState, event: AttemptEventName): Result<AttemptState> {
  const row = ATTEMPT_TRANSITIONS.find(([before, name]) => before === from && name === event);
  if (row !== undefined) return ok(row[2]);
  return err({
    kind: 'conflict',
    code: 'run_step.wrong_state',
    message: `The step is ${stateInWords(from)}: it cannot ${EVENT_WORDS[event]}.`,
    action: 'Get the run and look at the state of the step.',
    details: { state: from },
  });
}
