import { isJsonObject, type Json, type JsonObject } from '#lib/canonical';
import { evaluateCondition, parseCondition } from '#lib/plan';
import type { HealthResult } from './run.js';

/** The numbers in the checks' results, as conditions name them: `<check>.<metric>`. */
function metricsOf(results: ReadonlyMap<string, Json>): ReadonlyMap<string, number> {
  const metrics = new Map<string, number>();
  for (const [check, result] of results) {
    for (const [name, value] of Object.entries(member(result, 'metrics') ?? {})) {
      if (typeof value === 'number' && Number.isFinite(value)) metrics.set(`${check}.${name}`, value);
    }
  }
  return metrics;
}

/** Judges the checks after a batch. A condition that lacks a metric is `unclear`, never healthy. */
export function judgeHealth(
  condition: string | null,
  results: ReadonlyMap<string, Json>,
): Pick<HealthResult, 'metrics' | 'verdict' | 'explanation'> {
  const metrics = metricsOf(results);
  const judged = { metrics: Object.fromEntries(metrics) };
  if (condition === null) return { ...judged, verdict: 'healthy', explanation: 'The phase has no rollback condition.' };
  const parsed = parseCondition(condition);
  if (!parsed.ok) {
    return { ...judged, verdict: 'unclear', explanation: `The rollback condition "${condition}" cannot be read.` };
  }
  const outcome = evaluateCondition(parsed.value, metrics);
  switch (outcome.kind) {
    case 'met':
      return { ...judged, verdict: 'roll_back', explanation: `The rollback condition "${condition}" is met.` };
    case 'not_met':
      return { ...judged, verdict: 'healthy', explanation: `The rollback condition "${condition}" is not met.` };
    case 'missing':
      return { ...judged, verdict: 'unclear', explanation: `No health check gave ${outcome.metrics.join(', ')}.` };
  }
}

function member(value: Json, name: string): JsonObject | null {
  const found = isJsonObject(value) ? value[name] : undefined;
  return isJsonObject(found) ? found : null;
}
