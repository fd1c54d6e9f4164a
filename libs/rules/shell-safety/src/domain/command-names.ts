import type { ShellVerdict } from './verdict.js';

/** Reasons of parts behind which any command may run. */
const HIDES_COMMANDS: ReadonlySet<string> = new Set([
  'shell.dynamic_program',
  'shell.dynamic_script',
  'shell.option_executes_hidden',
  'shell.program_executes',
  'shell.executes_file',
  'shell.indirect_expansion',
  'shell.evaluates_unknown_text',
  'shell.evaluates_quoted_text',
  'shell.prompt_expansion',
]);

/** The commands that a verdict considered. */
export interface CommandNames {
  /** As the line names them, quotes removed. */
  readonly names: ReadonlySet<string>;
  /** True if the line may run commands besides, which it does not show. Then it is never Tier 1. */
  readonly hidden: boolean;
}

/** Every command that a verdict considered, for comparison with the commands that a shell tries to run. */
export function commandNames(verdict: ShellVerdict): CommandNames {
  const names = new Set<string>();
  let hidden = false;
  for (const { program, reasons } of verdict.parts) {
    if (program !== null) names.add(program);
    hidden ||= reasons.some(({ code }) => HIDES_COMMANDS.has(code));
  }
  return { names, hidden };
}
