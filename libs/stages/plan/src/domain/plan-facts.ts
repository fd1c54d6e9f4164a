import type { ExpandedInvocation, ExpandedPlan } from '#lib/formats';
import type { PathFacts, PlanFacts, ShellFacts, TaskFacts, ToolFacts } from '#lib/policy-inputs';
import { type Digest, digestOf, type PlanId } from '#lib/kernel';
import type { Task } from '#lib/task';
import { toolFacts, type ToolVersion } from '#lib/tool';
import { wholeEnvironment } from './expand-invocation.js';

/** The parts of a policy's input that are about a plan. Arguments are not among them. */
export interface PlanPolicyFacts {
  readonly plan: PlanFacts;
  /** Every tool that the plan calls, compensates with or checks with, by `name@version`. */
  readonly tools: Readonly<Record<string, ToolFacts>>;
}

export const toolKeyOf = (tool: { readonly name: string; readonly version: number }): string =>
  `${tool.name}@${String(tool.version)}`;

/**
 * The facts of an expanded plan for policies. A call that is aimed at the environment as a whole has no targets
 * there.
 *
 * @param tools the versions that the plan holds, in any order.
 * @throws {Error} if a version is missing: then nothing can be decided.
 */
export function planFacts(
  plan: { readonly id: PlanId; readonly digest: Digest; readonly expanded: ExpandedPlan },
  tools: Iterable<ToolVersion>,
): PlanPolicyFacts {
  const versions = new Map([...tools].map((tool) => [toolKeyOf(tool), tool]));
  const used: Record<string, ToolFacts> = {};
  const use = (invocation: ExpandedInvocation): string => {
    const key = toolKeyOf(invocation.tool);
    const version = versions.get(key);
    if (version === undefined) throw new Error(`the plan holds ${key}, and that version was not given`);
    used[key] ??= toolFacts(version);
    return key;
  };
  const whole = wholeEnvironment(plan.expanded.environment.name);
  const targetsOf = (invocation: ExpandedInvocation): string[] =>
    invocation.targets.length === 1 && invocation.targets[0] === whole ? [] : invocation.targets;
  const phases = plan.expanded.phases.map((phase) => ({
    index: phase.index,
    name: phase.name,
    canary: phase.canary,
    has_rollback_condition: phase.rollback_if !== null,
    batches: phase.batches.map((batch) => {
      for (const check of batch.health_checks) use(check.invocation);
      return {
        index: batch.index,
        calls: batch.calls.map((call) => ({
          seq: call.seq,
          tool: use(call.invocation),
          targets: targetsOf(call.invocation),
          compensation: call.compensate_with === null ? null : use(call.compensate_with),
          compensation_targets: call.compensate_with === null ? [] : targetsOf(call.compensate_with),
          shell: shellFacts(call.invocation),
          compensation_shell: call.compensate_with === null ? null : shellFacts(call.compensate_with),
          paths: pathFacts(call.invocation),
          compensation_paths: call.compensate_with === null ? null : pathFacts(call.compensate_with),
        })),
      };
    }),
  }));
  return { plan: { id: plan.id, digest: plan.digest, phases }, tools: used };
}

const shellFacts = ({ shell }: ExpandedInvocation): ShellFacts | null =>
  shell === undefined ? null : { tier: shell.tier, class: shell.class };

const pathFacts = ({ paths }: ExpandedInvocation): PathFacts | null =>
  paths === undefined ? null : { tier: paths.tier, class: paths.class };

const DIGESTS = new WeakMap<ExpandedPlan, Digest>();

/** The digest of an expanded plan, computed once for one that cannot change. */
export function expansionDigest(expanded: ExpandedPlan): Digest {
  const known = DIGESTS.get(expanded);
  if (known !== undefined) return known;
  const digest = digestOf('plan', expanded);
  if (Object.isFrozen(expanded)) DIGESTS.set(expanded, digest);
  return digest;
}

/** A task as policies are given it. */
export function taskFacts({ id, spec }: Pick<Task, 'id' | 'spec'>): TaskFacts {
  return {
    id,
    timeout_minutes: spec.timeout_minutes,
    constraints: {
      canary_required: spec.constraints?.canary_required ?? false,
      max_batch_percent: spec.constraints?.max_batch_percent ?? null,
      rollback_trigger: spec.constraints?.rollback_trigger ?? null,
    },
  };
}
