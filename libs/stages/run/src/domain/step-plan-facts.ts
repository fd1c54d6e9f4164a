import type { CallFacts, PlanFacts, ToolFacts } from '#lib/policy-inputs';
import { liftsRisk } from '#lib/tool';

type Tools = Readonly<Record<string, ToolFacts>>;
type Batch = PlanFacts['phases'][number]['batches'][number];

const CONDENSED = new WeakMap<PlanFacts, PlanFacts>();

/**
 * The plan's facts as the rules for one step read them. The step's own call stands as it is. The other calls of a batch
 * with the same tool, verdicts and undoing calls count as one call. That call has the targets of all. Rules read only
 * the tools and the targets of them. So the facts of a step do not grow with the calls of its plan.
 */
export function stepPlanFacts(
  plan: PlanFacts,
  tools: Tools,
  step: { readonly phaseIndex: number; readonly seq: number },
): PlanFacts {
  const condensed = condensedPlan(plan, tools);
  const own = plan.phases[step.phaseIndex];
  if (own === undefined || condensed === plan) return condensed;
  return { ...condensed, phases: condensed.phases.with(step.phaseIndex, condensedPhase(own, tools, step.seq)) };
}

/** Made once for a revision. A plan with two calls of one number stays as it is: the rules refuse it for that. */
function condensedPlan(plan: PlanFacts, tools: Tools): PlanFacts {
  const known = CONDENSED.get(plan);
  if (known !== undefined) return known;
  const numbers = plan.phases.flatMap(({ batches }) => batches.flatMap(({ calls }) => calls.map(({ seq }) => seq)));
  const sound = new Set(numbers).size === numbers.length;
  const condensed = sound ? { ...plan, phases: plan.phases.map((phase) => condensedPhase(phase, tools, null)) } : plan;
  CONDENSED.set(plan, condensed);
  return condensed;
}

const condensedPhase = <Phase extends { readonly batches: Batch[] }>(
  phase: Phase,
  tools: Tools,
  own: number | null,
) => ({
  ...phase,
  batches: phase.batches.map((batch) => ({ ...batch, calls: condensedCalls(batch.calls, tools, own) })),
});

/** In order of the first call of each kind. */
function condensedCalls(calls: readonly CallFacts[], tools: Tools, own: number | null): CallFacts[] {
  const kinds = new Map<string, CallFacts>();
  for (const call of calls) {
    if (call.seq === own) {
      kinds.set(`own ${String(kinds.size)}`, call);
      continue;
    }
    const key = kindOf(call);
    const before = kinds.get(key);
    const changes = changed(call.tool, call, tools);
    const undoes = call.compensation !== null && changed(call.compensation, undoOf(call), tools);
    kinds.set(key, {
      ...(before ?? call),
      targets: changes ? union(before?.targets, call.targets) : [],
      compensation_targets: undoes ? union(before?.compensation_targets, call.compensation_targets) : [],
    });
  }
  return [...kinds.values()];
}

/** The kinds of the submitted calls. Each step of a plan asks for those of all calls around it. */
const KINDS = new WeakMap<CallFacts, string>();

/** A call without targets is aimed at the whole environment: it is not merged with one that names its targets. */
function kindOf(call: CallFacts): string {
  const known = KINDS.get(call);
  if (known !== undefined) return known;
  const { tool, targets, shell, paths, compensation, compensation_targets: undone } = call;
  const kind = JSON.stringify([
    tool,
    targets.length === 0,
    shell,
    paths,
    compensation,
    undone.length === 0,
    undoOf(call),
  ]);
  KINDS.set(call, kind);
  return kind;
}

type Verdicts = Pick<CallFacts, 'shell' | 'paths'>;

const undoOf = ({ compensation_shell: shell, compensation_paths: paths }: CallFacts): Verdicts => ({ shell, paths });

/** A missing tool counts as one that changes something: the rules refuse it. */
const changed = (key: string, { shell, paths }: Verdicts, tools: Tools): boolean => {
  if (shell !== null) return shell.tier !== 1;
  if (paths !== null && liftsRisk(paths)) return true;
  const risk = tools[key]?.risk;
  return risk !== 'read_only' && risk !== 'plan_only';
};

const union = (before: readonly string[] | undefined, more: readonly string[]): string[] => [
  ...new Set([...(before ?? []), ...more]),
];
