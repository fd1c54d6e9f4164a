import type { PlanPhase } from '#lib/formats';
import { checkOf, type Condition, formatCondition, metricsOf } from './condition.js';
import type { ExpansionErrors } from './expansion-errors.js';
import { parseCondition } from './parse-condition.js';

/**
 * The condition on which a phase is rolled back: its own or the task's trigger, as one text; null if it has neither.
 * Every metric must come from a health check of the phase, or the condition could never be known.
 */
export function phaseCondition(
  phase: PlanPhase,
  rollbackTrigger: string | undefined,
  pointer: string,
  errors: ExpansionErrors,
): string | null {
  const checks = new Set(phase.health_checks.map((check) => check.name));
  const own = readable(phase.rollback_if, `${pointer}/rollback_if`, errors);
  const trigger = readable(rollbackTrigger, `${pointer}/health_checks`, errors);
  for (const metric of own === undefined ? [] : unreported(own, checks)) {
    errors.add(`${pointer}/rollback_if`, 'plan.unknown_metric', `No health check of this phase reports "${metric}".`, {
      suggestion:
        checks.size === 0
          ? `Add a health check named "${checkOf(metric)}".`
          : `The checks here are: ${[...checks].join(', ')}.`,
    });
  }
  for (const metric of trigger === undefined ? [] : unreported(trigger, checks)) {
    errors.add(
      `${pointer}/health_checks`,
      'plan.trigger_without_check',
      `The task rolls back on "${metric}", and no health check of this phase reports it.`,
      { suggestion: `Add a health check named "${checkOf(metric)}".` },
    );
  }
  const joined =
    own === undefined ? trigger : trigger === undefined ? own : ({ kind: 'or', left: own, right: trigger } as const);
  if (joined === undefined) return null;
  const text = formatCondition(joined);
  if (!parseCondition(text).ok) {
    errors.add(
      `${pointer}/rollback_if`,
      'plan.condition_too_deep',
      "The condition and the task's trigger together nest too deeply.",
    );
  }
  return text;
}

const unreported = (condition: Condition, checks: ReadonlySet<string>): readonly string[] =>
  metricsOf(condition).filter((metric) => !checks.has(checkOf(metric)));

function readable(text: string | undefined, pointer: string, errors: ExpansionErrors): Condition | undefined {
  if (text === undefined) return undefined;
  const parsed = parseCondition(text);
  if (parsed.ok) return parsed.value;
  const { position, message } = parsed.error;
  errors.add(
    pointer,
    'plan.condition_syntax',
    `The condition cannot be read at position ${String(position + 1)}: ${message}.`,
    {
      suggestion: 'Write, for example: web.error_rate > 0.05 or web.unhealthy >= 1',
    },
  );
  return undefined;
}
