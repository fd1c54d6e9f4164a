import type { ApprovalBinding, ExpandedInvocation, ExpandedPlan } from '#lib/formats';
import { BINDINGS, type Binding } from '#lib/policy-inputs';
import { digestOf, type Digest } from '#lib/kernel';
import { invocationsOf, toolKeyOf } from '#lib/plan';

/** The digests that an approval binds besides those that stand in the expanded plan. */
export interface BoundRecords {
  readonly taskDigest: string;
  readonly planDigest: string;
  readonly simulationDigest: string | null;
}

/** The records as they are in force now, by the names that the plan holds. Absent: there is none any more. */
export interface RecordsInForce {
  readonly environmentDigest: string;
  readonly tools: ReadonlyMap<string, { readonly version: number; readonly digest: string }>;
  readonly executors: ReadonlyMap<string, { readonly digest: string }>;
}

/** The binding of this plan's approval, by the content of the plan itself (invariant 1). */
export function bindingOf(expanded: ExpandedPlan, bound: BoundRecords): ApprovalBinding {
  const tools: Record<string, string> = {};
  const executors: Record<string, string> = {};
  for (const { tool, executor } of namedIn(expanded)) {
    tools[toolKeyOf(tool)] = tool.digest;
    executors[executor.name] = executor.digest;
  }
  return { subject: subjectOf(bound), environment: expanded.environment.digest, tools, executors };
}

/** The same by the records in force now: equal to {@link bindingOf} exactly while nothing has changed. */
export function bindingInForce(expanded: ExpandedPlan, bound: BoundRecords, now: RecordsInForce): ApprovalBinding {
  const tools: Record<string, string> = {};
  const executors: Record<string, string> = {};
  for (const { tool, executor } of namedIn(expanded)) {
    const current = now.tools.get(tool.name);
    if (current !== undefined) tools[toolKeyOf({ name: tool.name, version: current.version })] = current.digest;
    const address = now.executors.get(executor.name);
    if (address !== undefined) executors[executor.name] = address.digest;
  }
  return { subject: subjectOf(bound), environment: now.environmentDigest, tools, executors };
}

const NAMED = new WeakMap<ExpandedPlan, readonly Named[]>();

type Named = Pick<ExpandedInvocation, 'tool' | 'executor'>;

/** Each pair of a tool and an executor that the plan names, once; found once for a plan that cannot change. */
function namedIn(expanded: ExpandedPlan): readonly Named[] {
  const known = NAMED.get(expanded);
  if (known !== undefined) return known;
  const pairs = new Map<string, Named>();
  for (const { tool, executor } of invocationsOf(expanded)) {
    pairs.set(`${toolKeyOf(tool)} ${tool.digest} ${executor.name} ${executor.digest}`, { tool, executor });
  }
  const named = [...pairs.values()];
  if (Object.isFrozen(expanded)) NAMED.set(expanded, named);
  return named;
}

const subjectOf = (bound: BoundRecords): ApprovalBinding['subject'] => ({
  plan: bound.planDigest,
  task: bound.taskDigest,
  simulation: bound.simulationDigest,
});

/** The digest of the subject itself: reviewers name it to confirm the content that they saw. */
export const boundDigest = ({ subject }: ApprovalBinding): string => subject.plan;

/** One member that differs, and in a record of digests the names in it. */
export interface BindingDifference {
  readonly member: Binding;
  readonly names: readonly string[];
}

/** Which digests differ, in the order of {@link BINDINGS}; empty if nothing does. */
export function compareBindings(before: ApprovalBinding, after: ApprovalBinding): BindingDifference[] {
  const [old, now] = [membersOf(before), membersOf(after)];
  return BINDINGS.flatMap((member): BindingDifference[] => {
    if (member === 'tools' || member === 'executors') {
      const names = differingKeys(old[member], now[member]);
      return names.length === 0 ? [] : [{ member, names }];
    }
    return old[member] === now[member] ? [] : [{ member, names: [] }];
  });
}

const membersOf = ({ subject, ...shared }: ApprovalBinding) => ({ ...shared, ...subject });

/** Digest of the binding itself. */
export const bindingDigest = (binding: ApprovalBinding): Digest => digestOf('binding', binding);

function differingKeys(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => before[name] !== after[name]).sort();
}

/**
 * Digest of a request's content without its task: people who are asked the same under two tasks have one thing to decide.
 * A simulation is left out, since each request has its own.
 */
export const contentDigest = (
  { subject: { task }, environment, tools, executors }: ApprovalBinding,
  { phases, distinct_targets }: ExpandedPlan,
): Digest => digestOf('approval-content', { task, environment, tools, executors, phases, distinct_targets });
