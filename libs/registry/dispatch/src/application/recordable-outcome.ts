import { countValues, MAX_RESULT_VALUES, type Json } from '#lib/canonical';
import { cleaned } from '#lib/kernel';
import { withoutSecrets } from '../domain/secret-references.js';
import type { DispatchError, DispatchOutcome } from './tool-dispatcher.port.js';

/** Levels of a result, as the strict parser counts them. */
const MAX_DEPTH = 64;

/**
 * The outcome as it can be recorded, without the values of the call's secrets (T32). An answer that cannot be recorded
 * would lose the outcome. A call that may be repeated would be sent again after each lease. So a result that cannot be
 * recorded has an unknown effect.
 */
export function recordable(outcome: DispatchOutcome, secrets: ReadonlyMap<string, string>): DispatchOutcome {
  if (outcome.kind !== 'succeeded') {
    // Text is replaced by text, so the shape stays.
    const error = withoutSecrets({ ...outcome.error }, secrets) as Json & DispatchError;
    return { ...outcome, error: cleaned(error) };
  }
  const values = countValues(outcome.result, MAX_RESULT_VALUES);
  const error = unrecordable(outcome.result, values);
  if (error !== null) return { kind: 'unknown', error };
  const result = cleaned(withoutSecrets(outcome.result, secrets));
  return countValues(result) === values
    ? { kind: 'succeeded', result }
    : { kind: 'unknown', error: badAnswer('keys that become one') };
}

/**
 * The reason why a result cannot be recorded; null if it can.
 *
 * @param values its values, counted up to one more than the most.
 */
export function unrecordable(result: Json, values = countValues(result, MAX_RESULT_VALUES)): DispatchError | null {
  const problem =
    values > MAX_RESULT_VALUES ? `more than ${String(MAX_RESULT_VALUES)} values` : problemOf(result, MAX_DEPTH);
  return problem === null ? null : badAnswer(problem);
}

const badAnswer = (problem: string): DispatchError => ({
  code: 'dispatch.bad_answer',
  message: `The executor answered with ${problem}, which cannot be recorded.`,
});

function problemOf(value: Json, levels: number): string | null {
  if (typeof value === 'number') return isExact(value) ? null : 'a number beyond 2^53';
  if (typeof value !== 'object' || value === null) return null;
  if (levels === 0) return `values more than ${String(MAX_DEPTH)} levels deep`;
  for (const member of Object.values(value)) {
    const problem = problemOf(member, levels - 1);
    if (problem !== null) return problem;
  }
  return null;
}

const isExact = (number: number): boolean =>
  Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
