import type { ExpandedCall, ExpandedInvocation, ExpandedPlan } from '#lib/formats';

/** Every call of an expanded plan, in the order of execution. */
export const callsOf = (expanded: ExpandedPlan): readonly ExpandedCall[] =>
  expanded.phases.flatMap((phase) => phase.batches.flatMap((batch) => batch.calls));

/** Every invocation that executing the plan could come to: calls, compensations and health checks. */
export const invocationsOf = (expanded: ExpandedPlan): readonly ExpandedInvocation[] => [
  ...callsOf(expanded).flatMap((call) =>
    call.compensate_with === null ? [call.invocation] : [call.invocation, call.compensate_with],
  ),
  ...expanded.phases.flatMap((phase) =>
    phase.batches.flatMap((batch) => batch.health_checks.map((check) => check.invocation)),
  ),
];
