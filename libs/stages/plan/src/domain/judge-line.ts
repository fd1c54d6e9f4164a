import type { JsonObject } from '#lib/canonical';
import type { ExpandedLine } from '#lib/formats';
import { err, ok, type Failure, type Result } from '#lib/kernel';
import { classifyCommand, executableTree, treeDigest, type ShellVerdict } from '#lib/shell-safety';
import { commandLineOf, riskOfLine, type ToolVersion } from '#lib/tool';

/** The command line of a call, judged now. */
export interface JudgedLine {
  readonly verdict: ShellVerdict;
  /** JSON Pointer into the arguments. */
  readonly argument: string;
  /** The verdict as a plan holds it. `shell.denied` for Tier 3; `shell.not_executable` and its like if no runner could execute the line. */
  readonly expanded: Result<ExpandedLine>;
}

/**
 * Judges the command line of a call (ADR-007): its verdict, and the tree that alone may be executed for it. Made at the expansion of a
 * plan, and again just before a dispatch (T53).
 *
 * @returns null if the tool takes no command line
 */
export function judgeLine(tool: ToolVersion, args: JsonObject, production: boolean): JudgedLine | null {
  const line = commandLineOf(tool, args);
  if (line === null) return null;
  const verdict = classifyCommand(line.text, line.shell);
  return { verdict, argument: line.pointer, expanded: expandedOf(line, verdict, production) };
}

function expandedOf(
  { text, shell, pointer }: NonNullable<ReturnType<typeof commandLineOf>>,
  verdict: ShellVerdict,
  production: boolean,
): Result<ExpandedLine> {
  const { tier, class: shellClass } = verdict;
  if (tier === 3 || shellClass === 'ESCALATION') return err(denied(verdict));
  const tree = executableTree(text, shell);
  if (!tree.ok) return tree;
  const risk = riskOfLine({ tier }, production);
  return ok({ argument: pointer, shell, tier, class: shellClass, risk, tree: treeDigest(tree.value) });
}

/** With the first reasons, each once. */
function denied({ parts }: ShellVerdict): Failure {
  const reasons = parts
    .filter(({ tier, class: of }) => tier === 3 || of === 'ESCALATION')
    .flatMap((part) => part.reasons.map(({ message }) => message));
  return {
    kind: 'unprocessable',
    code: 'shell.denied',
    message: `The command line is Tier 3, which is always denied: ${[...new Set(reasons)].slice(0, 5).join(' ')}`,
    action: 'Leave these parts of the line out: no approval lifts them.',
  };
}
