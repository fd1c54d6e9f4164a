import type { Json } from '#lib/canonical';
import type { ToolCallResponse } from '#lib/formats';
import { withoutSecrets } from '../domain/secret-references.js';
import type { DispatchError, DispatchOutcome } from './tool-dispatcher.port.js';

/** The outcome that a tool's answer tells. */
export function outcomeOfAnswer(answer: ToolCallResponse): DispatchOutcome {
  if (answer.ok) return { kind: 'succeeded', result: answer.result };
  const error: DispatchError = answer.error;
  return answer.effect === 'unknown' ? { kind: 'unknown', error } : { kind: 'failed', effect: answer.effect, error };
}

/** The outcome without the values of the call's secrets. */
export function outcomeWithoutSecrets(outcome: DispatchOutcome, secrets: ReadonlyMap<string, string>): DispatchOutcome {
  if (outcome.kind === 'succeeded') return { kind: 'succeeded', result: withoutSecrets(outcome.result, secrets) };
  const error = withoutSecrets({ ...outcome.error }, secrets) as Json & DispatchError;
  return { ...outcome, error };
}
