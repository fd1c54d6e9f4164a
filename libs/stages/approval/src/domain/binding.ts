import type { ApprovalBinding, ExpandedInvocation, ExpandedPlan } from '#lib/formats';
import { BINDINGS } from '#lib/policy-inputs';
import { digestOf, type Digest } from '#lib/kernel';
import { invocationsOf, toolKeyOf } from '#lib/plan';

/** A tool and its executor, as the subject holds them. The executor is null for a call that the agent makes itself. */
export interface HeldTool {
  readonly tool: ExpandedInvocation['tool'];
  readonly executor: ExpandedInvocation['executor'] | null;
}

/** Everything that an approval binds, by the content of the subject itself. */
export interface BoundRecords {
  readonly subject: ApprovalBinding['subject'];
  readonly environmentDigest: string;
  readonly held: readonly HeldTool[];
}

/** The records as they are in force now, by the names that the subject holds. Absent: there is none any more. */
export interface RecordsInForce {
  readonly environmentDigest: string;
  readonly tools: ReadonlyMap<string, { readonly version: number; readonly digest: string }>;
  readonly executors: ReadonlyMap<string, { readonly digest: string }>;
}

/** The binding of this subject's approval, by the content of the subject itself (invariant 1). */
export function bindingOf({ subject, environmentDigest, held }: BoundRecords): ApprovalBinding {
  const tools: Record<string, string> = {};
  const executors: Record<string, string> = {};
  for (const { tool, executor } of held) {
    tools[toolKeyOf(tool)] = tool.digest;
    if (executor !== null) executors[executor.name] = executor.digest;
  }
  return { subject, environment: environmentDigest, tools, executors };
}

/** The same by the records in force now: equal to {@link bindingOf} exactly while nothing has changed. */
export function bindingInForce({ subject, held }: BoundRecords, now: RecordsInForce): ApprovalBinding {
  const tools: Record<string, string> = {};
  const executors: Record<string, string> = {};
  for (const { tool, executor } of held) {
    const current = now.tools.get(tool.name);
    if (current !== undefined) tools[toolKeyOf({ name: tool.name, version: current.version })] = current.digest;
    const address = executor === null ? undefined : now.executors.get(executor.name);
    if (executor !== null && address !== undefined) executors[executor.name] = address.digest;
  }
  return { subject, environment: now.environmentDigest, tools, executors };
}

const HELD = new WeakMap<ExpandedPlan, readonly HeldTool[]>();

/** Each pair of a tool and an executor that the plan names, once. Found once for a plan that cannot change. */
export function heldIn(expanded: ExpandedPlan): readonly HeldTool[] {
  const known = HELD.get(expanded);
  if (known !== undefined) return known;
  const pairs = new Map<string, HeldTool>();
  for (const { tool, executor } of invocationsOf(expanded)) {
    pairs.set(`${toolKeyOf(tool)} ${tool.digest} ${executor.name} ${executor.digest}`, { tool, executor });
  }
  const held = [...pairs.values()];
  if (Object.isFrozen(expanded)) HELD.set(expanded, held);
  return held;
}

/** The digest of the subject itself: reviewers name it to confirm the content that they saw. */
export const boundDigest = ({ subject }: ApprovalBinding): string =>
  'plan' in subject ? subject.plan : subject.tool_call;

const MEMBERS = [...BINDINGS, 'tool_call'] as const;

/** One member that differs, and in a record of digests the names in it. */
export interface BindingDifference {
  readonly member: (typeof MEMBERS)[number];
  readonly names: readonly string[];
}

/** Which digests differ, in the order of {@link MEMBERS}; empty if nothing does. */
export function compareBindings(before: ApprovalBinding, after: ApprovalBinding): BindingDifference[] {
  const [old, now] = [membersOf(before), membersOf(after)];
  return MEMBERS.flatMap((member): BindingDifference[] => {
    if (member === 'tools' || member === 'executors') {
      const names = differingKeys(old[member], now[member]);
      return names.length === 0 ? [] : [{ member, names }];
    }
    return old[member] === now[member] ? [] : [{ member, names: [] }];
  });
}

/** Members of another kind of subject are absent, so that a subject of each kind never equals one of another. */
const membersOf = ({ subject, ...shared }: ApprovalBinding) => ({
  ...shared,
  ...NO_SUBJECT,
  ...subject,
});

const NO_SUBJECT = { plan: undefined, task: undefined, simulation: undefined, tool_call: undefined };

/** Digest of the binding itself. */
export const bindingDigest = (binding: ApprovalBinding): Digest => digestOf('binding', binding);

function differingKeys(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => before[name] !== after[name]).sort();
}

/**
 * Digest of a request's content without its task. People who are asked the same under two tasks have one thing to
 * decide. A simulation is left out, since each request has its own.
 */
export const planContentDigest = (
  { environment, tools, executors }: ApprovalBinding,
  task: string,
  { phases, distinct_targets }: ExpandedPlan,
): Digest => digestOf('approval-content', { task, environment, tools, executors, phases, distinct_targets });

/** The same of a call. Two calls stay two questions, even of one content: each of them is made. */
export const callContentDigest = (
  { environment, tools, executors }: ApprovalBinding,
  argumentsDigest: string,
): Digest => digestOf('approval-content', { environment, tools, executors, arguments_digest: argumentsDigest });
