import { canonicalJson, type Json } from '#lib/canonical';
import type { ExpandedCall, ExpandedPhase } from '#lib/contracts';

/** Calls of one step of one phase that differ in nothing but what is listed. */
export interface CallGroup {
  readonly stepId: string;
  readonly tool: string;
  readonly toolVersion: number;
  readonly executor: string;
  readonly onFailure: ExpandedCall['on_failure'];
  /** The tool that undoes each of them; null where none does. */
  readonly undoneBy: string | null;
  readonly calls: number;
  /** Distinct, in the order of execution. */
  readonly targets: readonly string[];
  /** Arguments that all of them have, by name, as JSON. */
  readonly shared: readonly (readonly [name: string, value: string])[];
  /** Arguments in which they differ, for each call; what only repeats the call's targets is left out. */
  readonly differences: readonly {
    readonly targets: readonly string[];
    readonly values: readonly (readonly [name: string, value: string])[];
  }[];
}

/** The calls of a phase, identical ones together. Rendered from what would be executed, and from nothing else (T11). */
export function groupCalls(phase: ExpandedPhase): CallGroup[] {
  const groups = new Map<string, ExpandedCall[]>();
  for (const batch of phase.batches) {
    for (const call of batch.calls) {
      const { tool, executor } = call.invocation;
      const key = canonicalJson([
        call.step_id,
        tool.digest,
        executor.digest,
        call.on_failure,
        call.compensate_with?.tool.digest ?? null,
        [...argumentsOf(call).keys()].sort(),
      ]);
      const together = groups.get(key);
      if (together === undefined) groups.set(key, [call]);
      else together.push(call);
    }
  }
  return [...groups.values()].flatMap((calls) => (calls[0] === undefined ? [] : [groupOf(calls[0], calls)]));
}

function groupOf(first: ExpandedCall, calls: readonly ExpandedCall[]): CallGroup {
  const own = argumentsOf(first);
  const all = calls.map((call) => ({ targets: call.invocation.targets, values: argumentsOf(call) }));
  const names = [...own.keys()];
  const differs = (name: string): boolean => all.some(({ values }) => json(values.get(name)) !== json(own.get(name)));
  const repeatsTargets = (name: string): boolean =>
    all.every(({ targets, values }) => isTargets(values.get(name), targets));
  const differing = names.filter((name) => differs(name) && !repeatsTargets(name));
  return {
    stepId: first.step_id,
    tool: first.invocation.tool.name,
    toolVersion: first.invocation.tool.version,
    executor: first.invocation.executor.name,
    onFailure: first.on_failure,
    undoneBy: first.compensate_with?.tool.name ?? null,
    calls: calls.length,
    targets: [...new Set(calls.flatMap(({ invocation }) => invocation.targets))],
    shared: names
      .filter((name) => !differs(name) && !repeatsTargets(name))
      .map((name) => [name, json(own.get(name))] as const),
    differences:
      differing.length === 0
        ? []
        : all.map(({ targets, values }) => ({
            targets,
            values: differing.map((name) => [name, json(values.get(name))] as const),
          })),
  };
}

/** Of the call, and of the one that undoes it: those are approved with it. */
const argumentsOf = ({ invocation, compensate_with: undo }: ExpandedCall): ReadonlyMap<string, Json> =>
  new Map([
    ...Object.entries(invocation.arguments),
    ...Object.entries(undo?.arguments ?? {}).map(([name, value]) => [`${UNDO}${name}`, value] as const),
  ]);

/** Stands before the arguments of the call that undoes a step. */
const UNDO = 'undo: ';

/** Whether an argument says exactly what the call's targets are, and nothing that they don't. */
function isTargets(value: Json | undefined, targets: readonly string[]): boolean {
  if (typeof value === 'string') return targets.length === 1 && targets[0] === value;
  return Array.isArray(value) && json(value) === json([...targets]);
}

const json = (value: Json | undefined): string => (value === undefined ? '' : canonicalJson(value));
