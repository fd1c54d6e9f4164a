import type { CallRequestDetailView } from '#lib/api-schemas';
import { shapeOfAlways, type ApprovalRequest, type CallSubject } from '#lib/approval';
import { classifyCommand } from '#lib/shell-safety';
import { commandLineOf } from '#lib/tool';
import { shellVerdictView } from '../policy/shell-verdict-view.js';

type CallView = CallRequestDetailView['call'];

/** The facts of a call that its approvers see on its page alone: lists leave them out. */
export function askedCallFacts(
  request: Pick<ApprovalRequest, 'decision'>,
  subject: CallSubject,
): Pick<CallView, 'version' | 'executor' | 'arguments' | 'shell' | 'targets' | 'always_covers'> {
  const { tool, executor, arguments: given, targets } = subject.call;
  return {
    version: tool.version,
    executor: executor?.name ?? null,
    arguments: given,
    shell: askedLine(subject),
    targets: [...targets],
    // Any JSON: the view's type alone may be written.
    always_covers: shapeOfAlways(request, subject) as CallView['always_covers'],
  };
}

/** The command line of a call with its verdict. Null for a call without one, and for one of a former version of its tool. */
function askedLine({ call, registry }: CallSubject): CallView['shell'] {
  const tool = registry.tools.get(call.tool.name);
  const line = tool?.version === call.tool.version ? commandLineOf(tool, call.arguments) : null;
  if (line === null) return null;
  const { shell, tier, class: shellClass, parts } = shellVerdictView(classifyCommand(line.text, line.shell));
  return { shell, tier, class: shellClass, parts, argument: line.pointer, command: line.text };
}
