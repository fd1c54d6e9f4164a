import { isJsonObject, type Json } from '#lib/canonical';
import { evaluateCondition, parseCondition } from '#lib/plan';

/** The outcome of a condition on the results of earlier calls. */
export type ConditionVerdict =
  | { readonly kind: 'met' | 'not_met' }
  | { readonly kind: 'unclear'; readonly why: string };

/**
 * Judges a condition by the numbers in `metrics` of results, named `<step>.<metric>`.
 *
 * @param results of calls, by the id of their step.
 */
export function judgeCondition(text: string, results: ReadonlyMap<string, Json>): ConditionVerdict {
  const parsed = parseCondition(text);
  if (!parsed.ok) return { kind: 'unclear', why: `The condition "${text}" cannot be read` };
  const metrics = new Map<string, number>();
  for (const [step, result] of results) {
    for (const [name, value] of Object.entries(
      isJsonObject(result) && isJsonObject(result.metrics) ? result.metrics : {},
    ))
      if (typeof value === 'number') metrics.set(`${step}.${name}`, value);
  }
  const outcome = evaluateCondition(parsed.value, metrics);
  if (outcome.kind !== 'missing') return outcome;
  return { kind: 'unclear', why: `No earlier call gave ${outcome.metrics.join(', ')}` };
}
