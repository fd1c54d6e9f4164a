import type { ExpandedInvocation } from '#lib/formats';
import { judgeLine } from '#lib/plan';
import type { ShellFacts } from '#lib/policy-inputs';
import type { ToolVersion } from '#lib/tool';

/** The command line of a call, judged again just before its dispatch. */
export interface LineAgain {
  /** For policy; null if the tool takes no command line. */
  readonly verdict: ShellFacts | null;
  /** Whether it is still the line that was approved: the same tree, and no worse tier. */
  readonly asApproved: boolean;
}

/** Of a tool that is no longer there: nothing is sent to it anyway. */
export const UNJUDGED: LineAgain = { verdict: null, asApproved: true };

/**
 * Judges the line of a call again (T53). Since the approval the classifier may have changed, and with it the tree that
 * would be executed. A call that was approved without a line differs.
 */
export function lineAgain(
  tool: ToolVersion,
  { arguments: given, shell: approved }: ExpandedInvocation,
  production: boolean,
): LineAgain {
  const now = judgeLine(tool, given, production);
  if (now === null) return { verdict: null, asApproved: approved === undefined };
  const verdict = { tier: now.verdict.tier, class: now.verdict.class };
  if (approved === undefined || !now.expanded.ok) return { verdict, asApproved: false };
  const { argument, shell, tier, tree } = now.expanded.value;
  const same = argument === approved.argument && shell === approved.shell && tree === approved.tree;
  return { verdict, asApproved: same && tier <= approved.tier };
}
