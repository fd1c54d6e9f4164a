import type { ToolCallResponse } from '#lib/formats';
import type { DispatchError, DispatchOutcome } from './tool-dispatcher.port.js';

/** Turns the answer of a tool server into the outcome of the call. */
export function outcomeOfAnswer(answer: ToolCallResponse): DispatchOutcome {
  if (answer.ok) return { kind: 'succeeded', result: answer.result };
  const error: DispatchError = answer.error;
  return answer.effect === 'unknown' ? { kind: 'unknown', error } : { kind: 'failed', effect: answer.effect, error };
}
