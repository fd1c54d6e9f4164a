import type { ApprovalRequestDetailView } from '#lib/contracts';

export type Call = ApprovalRequestDetailView['calls'][number];
export type Value = Call['arguments'][string];

/** Calls of one tool: what all of them say, and where each of them says something of its own. */
export interface CallGroup {
  readonly key: string;
  readonly tool: string;
  readonly version: number;
  readonly executor: string;
  readonly risk: string;
  readonly effect: string;
  readonly undoneBy: string | null;
  readonly calls: readonly Call[];
  /** In the order of their first naming. */
  readonly targets: readonly string[];
  /** Arguments that are the same in every call. */
  readonly shared: readonly (readonly [string, Value])[];
  /** Names of arguments that are not, other than those that only repeat the call's targets. */
  readonly differing: readonly string[];
}

const same = (one: Value | undefined, other: Value | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Whether an argument says nothing but which targets the call has. */
const repeatsTargets = ({ targets }: Call, value: Value | undefined): boolean =>
  same(value, [...targets]) || (targets.length === 1 && value === targets[0]);

function groupOf(key: string, first: Call, calls: readonly Call[]): CallGroup {
  const names = [...new Set(calls.flatMap((call) => Object.keys(call.arguments)))];
  const telling = names.filter((name) => !calls.every((call) => repeatsTargets(call, call.arguments[name])));
  const isShared = (name: string): boolean => calls.every((call) => same(call.arguments[name], first.arguments[name]));
  return {
    key,
    tool: first.tool,
    version: first.tool_version,
    executor: first.executor,
    risk: first.risk,
    effect: first.effect,
    undoneBy: first.undone_by,
    calls,
    targets: [...new Set(calls.flatMap(({ targets }) => targets))],
    shared: telling.filter(isShared).map((name) => [name, first.arguments[name] ?? null] as const),
    differing: telling.filter((name) => !isShared(name)),
  };
}

/** Groups calls of the same tool, version, executor and way back, in the order in which they begin. */
export function groupCalls(calls: readonly Call[]): CallGroup[] {
  const groups = new Map<string, Call[]>();
  for (const call of calls) {
    const key = JSON.stringify([call.tool, call.tool_version, call.executor, call.undone_by]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [call]);
    else group.push(call);
  }
  return [...groups].flatMap(([key, [first, ...rest]]) =>
    first === undefined ? [] : [groupOf(key, first, [first, ...rest])],
  );
}

/** The batches of a group's calls, by phase. */
export function phasesOf(calls: readonly Call[]): { name: string; canary: boolean; batches: Call[][] }[] {
  const phases = new Map<string, { name: string; canary: boolean; batches: Map<number, Call[]> }>();
  for (const call of calls) {
    const phase = phases.get(call.phase) ?? {
      name: call.phase,
      canary: call.canary,
      batches: new Map<number, Call[]>(),
    };
    phases.set(call.phase, phase);
    phase.batches.set(call.batch, [...(phase.batches.get(call.batch) ?? []), call]);
  }
  return [...phases.values()].map(({ name, canary, batches }) => ({ name, canary, batches: [...batches.values()] }));
}
