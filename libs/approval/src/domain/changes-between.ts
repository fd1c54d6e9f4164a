import type { Json } from '#lib/canonical';
import type { ExpandedCall, ExpandedPlan } from '#lib/contracts';
import type { ApprovalRequestId } from '#lib/kernel';
import type { ApprovalRequest } from './approval-request.js';
import { compareBindings, type BindingDifference } from './binding.js';

/** One place in which two documents differ; `before` or `after` is absent where there is nothing. */
export interface JsonDifference {
  /** RFC 6901. */
  readonly pointer: string;
  readonly before?: Json;
  readonly after?: Json;
}

/** One call that differs. */
export interface CallChange {
  readonly change: 'added' | 'removed' | 'changed';
  /** In the later plan; null for a call that was removed. */
  readonly seq: number | null;
  readonly phase: string;
  readonly stepId: string;
  readonly tool: string;
  readonly differences: readonly JsonDifference[];
}

/** What differs from an approval that somebody gave before. */
export interface PlanChanges {
  readonly requestId: ApprovalRequestId;
  /** Epoch milliseconds. */
  readonly approvedAt: number;
  readonly bound: readonly BindingDifference[];
  readonly calls: readonly CallChange[];
}

/**
 * Compares what somebody approved with what is asked now, call by call. Calls are told by their phase, batch and step,
 * and by their place among those of one step; only what the plan's author wrote counts, not the number a call has in the
 * whole plan.
 */
export function changesBetween(
  before: { readonly request: ApprovalRequest; readonly plan: ExpandedPlan; readonly approvedAt: number },
  after: { readonly request: ApprovalRequest; readonly plan: ExpandedPlan },
): PlanChanges {
  return {
    requestId: before.request.id,
    approvedAt: before.approvedAt,
    bound: compareBindings(before.request.binding, after.request.binding),
    calls: callChanges(before.plan, after.plan),
  };
}

interface PlacedCall {
  readonly phase: string;
  readonly call: ExpandedCall;
}

function callChanges(before: ExpandedPlan, after: ExpandedPlan): CallChange[] {
  const was = placedCalls(before);
  const is = placedCalls(after);
  const removed = [...was].flatMap(([place, { phase, call }]): CallChange[] =>
    is.has(place) ? [] : [{ ...named(phase, call), change: 'removed', seq: null, differences: [] }],
  );
  const others = [...is].flatMap(([place, { phase, call }]): CallChange[] => {
    const earlier = was.get(place);
    if (earlier === undefined) return [{ ...named(phase, call), change: 'added', seq: call.seq, differences: [] }];
    const differences = differencesOf(comparable(earlier.call), comparable(call), '');
    return differences.length === 0 ? [] : [{ ...named(phase, call), change: 'changed', seq: call.seq, differences }];
  });
  return [...others, ...removed];
}

function placedCalls(plan: ExpandedPlan): Map<string, PlacedCall> {
  const placed = new Map<string, PlacedCall>();
  for (const phase of plan.phases) {
    for (const batch of phase.batches) {
      for (const call of batch.calls) {
        const step = JSON.stringify([phase.name, batch.index, call.step_id]);
        let place = 0;
        while (placed.has(`${step}#${String(place)}`)) place += 1;
        placed.set(`${step}#${String(place)}`, { phase: phase.name, call });
      }
    }
  }
  return placed;
}

const named = (phase: string, call: ExpandedCall) => ({ phase, stepId: call.step_id, tool: call.invocation.tool.name });

const comparable = ({ invocation, on_failure, compensate_with }: ExpandedCall): Json => ({
  invocation,
  on_failure,
  compensate_with,
});

/** Where two documents differ: the deepest places, in the order of the first. */
export function differencesOf(before: Json, after: Json, pointer: string): JsonDifference[] {
  if (isContainer(before) && isContainer(after) && Array.isArray(before) === Array.isArray(after)) {
    const was = new Map(Object.entries(before));
    const is = new Map(Object.entries(after));
    return [...new Set([...was.keys(), ...is.keys()])].flatMap((key) => {
      const at = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      const [one, other] = [was.get(key), is.get(key)];
      if (one === undefined) return other === undefined ? [] : [{ pointer: at, after: other }];
      return other === undefined ? [{ pointer: at, before: one }] : differencesOf(one, other, at);
    });
  }
  return Object.is(before, after) ? [] : [{ pointer, before, after }];
}

const isContainer = (value: Json): value is Json[] | { [key: string]: Json } =>
  typeof value === 'object' && value !== null;
