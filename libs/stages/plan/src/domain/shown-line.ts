import type { ExpandedInvocation } from '#lib/formats';
import { classifyCommand } from '#lib/shell-safety';
import { valueAt } from '#lib/tool';
import type { ShownLine } from './plan-description.js';

/**
 * The command line of a call for people: as the plan holds its verdict, with the reasons for each part. The reasons are those of the
 * classifier now; a dispatch compares its verdict with that of the plan.
 *
 * @returns null if the tool takes no command line
 */
export function shownLine({ shell, arguments: given }: ExpandedInvocation): ShownLine | null {
  if (shell === undefined) return null;
  const value = valueAt(given, shell.argument);
  const command = typeof value === 'string' ? value : '';
  const { argument, tier, class: shellClass } = shell;
  const { parts } = classifyCommand(command, shell.shell);
  return {
    argument,
    command,
    shell: shell.shell,
    tier,
    class: shellClass,
    parts: parts.map((part) => ({
      start: part.start,
      end: part.end,
      program: part.program,
      tier: part.tier,
      class: part.class,
      reasons: part.reasons.map(({ code, message, start, end }) => ({ code, message, start, end })),
    })),
  };
}
