import { wrongSetting } from '#lib/kernel';
import type { ToolOutcome } from '#lib/workspace';
import { checkProgramFolders } from './adapters/check-program-folders.js';
import { authorizeCall } from './domain/authorize-call.js';
import { maskText } from './domain/output-mask.js';
import type { ShellAuthority, ShellCall, ShellContext, ShellSettings } from './domain/shell-call.js';
import { forbiddenVariable } from './domain/shell-environment.js';
import { Stop } from './domain/stop.js';
import { runLine } from './execution/run-line.js';

/**
 * Executes the tree of a call. Never rejects. A line that ran to its end is `ok`, also with an exit status other than 0. Its result holds
 * `exit_status`, `stdout`, `stderr`, `stdout_truncated`, `stderr_truncated`, `sandbox`, `sandbox_reason`, `network`, `secret_files`,
 * `tree_digest` and `duration_ms`.
 *
 * Errors, none of which started anything: those of the authorization, `shell.needs_linux`, `shell.no_sandbox`, `shell.no_root`,
 * `shell.outside_root`, `shell.program_outside`, `shell.too_many_secrets`. Errors that end a line, with effect `unknown` once a program started or a file was opened to write:
 * `shell.time_limit`, `shell.cancelled`, `shell.outside_root`, `shell.hidden_path`, `shell.program_outside`, `shell.symbolic_link`, `shell.hard_link`,
 * `shell.repository_programs`, `shell.repository_unclear`, `shell.repository_unreadable`, `shell.too_many_files`, `shell.pattern_with_parent`, `shell.name_not_utf8`, `shell.arguments_too_large`,
 * `shell.substitution_too_large`, `shell.substitution_not_text`, `shell.failed`.
 */
export type ExecuteTree = (call: ShellCall, context: ShellContext) => Promise<ToolOutcome>;

const MAX_MESSAGE = 2_000;

/**
 * The refusal of a call that its authority does not cover. It is for a caller that prepares something before it
 * executes the line: nothing is executed here. Null if the authority covers it; {@link ExecuteTree} judges the call
 * again.
 */
export function refusalOf(call: ShellCall, authority: ShellAuthority, secretsToMask: readonly string[]): Failed | null {
  try {
    authorizeCall(call, authority);
    return null;
  } catch (error) {
    return failed(error, 'not_started', secretsToMask);
  }
}

/**
 * Makes the executor of a runner.
 *
 * @throws FailureError `start.wrong_setting` for an unsafe folder of programs, or a variable that chooses which code runs
 */
export function createTreeExecutor(settings: ShellSettings): ExecuteTree {
  checkProgramFolders(settings.programFolders);
  const variable = forbiddenVariable(settings.environment);
  if (variable !== null) throw wrongSetting(`The variable ${variable} may not be given to the programs of a runner.`);
  return async (call, context) => {
    const effect: { started: boolean } = { started: false };
    try {
      if (process.platform !== 'linux')
        throw new Stop('shell.needs_linux', 'This runner executes lines on Linux only.');
      const authorized = authorizeCall(call, context.authority);
      return { ok: true, result: await runLine(authorized, context, settings, effect) };
    } catch (error) {
      return failed(error, effect.started ? 'unknown' : 'not_started', context.secretsToMask);
    }
  };
}

type Failed = Extract<ToolOutcome, { ok: false }>;

function failed(error: unknown, effect: Failed['effect'], secretsToMask: readonly string[]): Failed {
  const stop = error instanceof Stop ? error : new Stop('shell.failed', `The line failed: ${String(error)}.`);
  const message = maskText(stop.message, secretsToMask).slice(0, MAX_MESSAGE);
  return { ok: false, effect, error: { code: stop.code, message } };
}
