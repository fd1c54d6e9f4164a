import { canonicalJson, type Json, ownMember } from '#lib/canonical';
import type { ExpandedBatch, ExpandedCall, ExpandedInvocation, ExpandedPhase, ExpandedPlan } from '#lib/formats';
import type { ToolFacts } from '#lib/policy-inputs';
import { escapePointer, liftsRisk, valueAt } from '#lib/tool';
import { wholeEnvironment } from './expand-invocation.js';
import type { PlanDescription, ShownArgument, ShownPhase, ShownSide, ShownStep } from './plan-description.js';
import { factsOf, headlineOf } from './plan-headline.js';
import { repeatsTargets, same } from './repeats-targets.js';
import { shownLine } from './shown-line.js';
import { shownPaths } from './shown-paths.js';

type Facts = Readonly<Record<string, ToolFacts>>;

interface CallOfBatch extends ExpandedCall {
  readonly batch: ExpandedBatch;
}

/**
 * The calls of a plan, as every page, message and mail shows them (T11). They come from the expanded plan and the
 * registry, and from no agent's or person's words. Calls that differ in nothing but their targets and single arguments
 * stand together; nothing that is executed is left out. Identities that a name stands for (digests, ids) are those of
 * the plan's own digest.
 *
 * @param tools the facts of the tools that the plan holds, by `name@version`; of one that is missing the risk is `unknown`.
 */
export const describePlan = (plan: ExpandedPlan, tools: Facts): PlanDescription => ({
  ...headlineOf(plan, tools),
  revision: plan.revision,
  environment: plan.environment.name,
  targets: [...plan.distinct_targets],
  phases: plan.phases.map((phase) => describePhase(phase, wholeEnvironment(plan.environment.name), tools)),
});

const describePhase = (phase: ExpandedPhase, whole: string, tools: Facts): ShownPhase => ({
  number: phase.index + 1,
  name: phase.name,
  canary: phase.canary,
  batches: phase.batches.map(({ index, targets }) => ({ number: index + 1, targets: [...targets] })),
  steps: groupsOf(phase).map((calls) => describeStep(calls, whole, tools)),
  wait_seconds: phase.wait_seconds,
  health_checks: checksOf(phase, tools),
  rollback_if: phase.rollback_if,
});

/** Calls of one step, one way to fail and one way back, with the same arguments by name. */
function groupsOf(phase: ExpandedPhase): readonly (readonly [CallOfBatch, ...CallOfBatch[]])[] {
  const groups = new Map<string, [CallOfBatch, ...CallOfBatch[]]>();
  for (const batch of phase.batches) {
    for (const call of batch.calls) {
      const key = canonicalJson([
        call.step_id,
        call.on_failure,
        kindOf(call.invocation),
        call.compensate_with === null ? null : kindOf(call.compensate_with),
      ]);
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [{ ...call, batch }]);
      else group.push({ ...call, batch });
    }
  }
  return [...groups.values()];
}

const kindOf = ({ tool, executor, arguments: given, shell, paths }: ExpandedInvocation): Json => [
  tool.name,
  tool.version,
  tool.digest,
  executor.name,
  executor.digest,
  Object.keys(given).sort(),
  // Calls that execute different lines are shown one by one.
  ...(shell === undefined ? [] : [{ ...shell }, valueAt(given, shell.argument) ?? null]),
  // So are calls on paths of code or secrets.
  ...(paths === undefined ? [] : [{ ...paths }, liftsRisk(paths) ? given : null]),
];

function describeStep(calls: readonly [CallOfBatch, ...CallOfBatch[]], whole: string, tools: Facts): ShownStep {
  const [first] = calls;
  const made = sideOf(
    calls.map(({ invocation }) => invocation),
    tools,
  );
  const undoing = calls.flatMap(({ compensate_with: undo }) => (undo === null ? [] : [undo]));
  const undone = undoing.length === 0 ? null : sideOf(undoing, tools);
  return {
    step_id: first.step_id,
    on_failure: first.on_failure,
    call: made.side,
    undo: undone?.side ?? null,
    spread: spreadOf(calls, whole),
    calls: calls.map(({ seq, batch, invocation, compensate_with: undo }) => ({
      seq,
      batch: batch.index + 1,
      targets: [...invocation.targets],
      arguments: valuesOf(invocation, made.differing),
      undo_targets: undo === null || same(undo.targets, invocation.targets) ? null : [...undo.targets],
      undo_arguments: undo === null ? [] : valuesOf(undo, undone?.differing ?? []),
    })),
  };
}

function sideOf(
  invocations: readonly ExpandedInvocation[],
  tools: Facts,
): { readonly side: ShownSide; readonly differing: readonly string[] } {
  const [first] = invocations;
  if (first === undefined) throw new Error('a group of calls has at least one');
  const shell = shownLine(first);
  const names = Object.keys(first.arguments).filter((name) => shell?.argument !== `/${escapePointer(name)}`);
  const targetsAs = names.filter((name) => invocations.every((invocation) => repeatsTargets(invocation, name)));
  const others = names.filter((name) => !targetsAs.includes(name));
  const shared = others.filter((name) =>
    invocations.every((invocation) => same(ownMember(invocation.arguments, name), ownMember(first.arguments, name))),
  );
  const facts = factsOf(first, tools);
  return {
    side: {
      shell,
      paths: shownPaths(first),
      tool: {
        name: first.tool.name,
        version: first.tool.version,
        executor: first.executor.name,
        risk: first.shell?.risk ?? first.paths?.risk ?? facts?.risk ?? 'unknown',
        effect: facts?.effect ?? 'unknown',
        idempotent: facts?.idempotent ?? false,
      },
      arguments: valuesOf(first, shared),
      targets_as: targetsAs,
    },
    differing: others.filter((name) => !shared.includes(name)),
  };
}

const valuesOf = ({ arguments: given }: ExpandedInvocation, names: readonly string[]): ShownArgument[] =>
  names.map((name) => ({ name, value: ownMember(given, name) ?? null }));

/** How calls go over targets, if one word says it: else each call's own are listed. */
function spreadOf(calls: readonly CallOfBatch[], whole: string): ShownStep['spread'] {
  if (calls.every(({ invocation: { targets } }) => targets.length === 1 && targets[0] === whole)) return 'environment';
  const batches = new Map<ExpandedBatch, CallOfBatch[]>();
  for (const call of calls) batches.set(call.batch, [...(batches.get(call.batch) ?? []), call]);
  const every = (fits: (batch: ExpandedBatch, own: readonly CallOfBatch[]) => boolean): boolean =>
    [...batches].every(([batch, own]) => fits(batch, own));
  if (every((batch, own) => own.length === 1 && own.every(({ invocation }) => same(invocation.targets, batch.targets))))
    return 'batch';
  const each = every((batch, own) =>
    same(
      own.map(({ invocation }) => invocation.targets),
      batch.targets.map((target) => [target]),
    ),
  );
  return each ? 'target' : 'listed';
}

function checksOf(phase: ExpandedPhase, tools: Facts): ShownPhase['health_checks'] {
  const groups = new Map<string, { batch: ExpandedBatch; name: string; invocation: ExpandedInvocation }[]>();
  for (const batch of phase.batches) {
    for (const { name, invocation } of batch.health_checks) {
      const key = canonicalJson([name, kindOf(invocation)]);
      groups.set(key, [...(groups.get(key) ?? []), { batch, name, invocation }]);
    }
  }
  return [...groups.values()].map((checks) => {
    const { side, differing } = sideOf(
      // A check may read targets that it does not touch: its arguments then name the batch.
      checks.map(({ batch, invocation }) => ({ ...invocation, targets: batch.targets })),
      tools,
    );
    return {
      name: checks[0]?.name ?? '',
      call: side,
      checks: checks.map(({ batch, invocation }) => ({
        batch: batch.index + 1,
        targets: [...invocation.targets],
        arguments: valuesOf(invocation, differing),
      })),
    };
  });
}
