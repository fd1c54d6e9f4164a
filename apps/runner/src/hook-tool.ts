import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { HOOK_TOOL, hookCallSchema, type HookCall } from '#lib/formats';
import { runProgram, type ProgramGroups, type ToolOutcome } from '#lib/workspace';
import { isInRoot } from './is-in-root.js';
import type { RunnerConfig } from './runner-config.js';
import type { ServedTool } from './served-tool.js';

/** The most bytes of each stream that are kept, and the most characters of both that are reported. */
const MAX_OUTPUT = 8_192;

/** The parts that execute hooks. */
export interface HookToolParts extends Pick<RunnerConfig, 'hooks' | 'root' | 'programFolders'> {
  readonly groups: ProgramGroups;
}

/**
 * Executes the programs of lifecycle hooks. The operator lists each by an absolute path. The call names it alone, and gives
 * its arguments and its variables as they are. No shell reads them. The program has no other environment, and its whole group ends with
 * it or with its time limit. It runs with the runner's rights, outside the sandbox: its operator trusts it.
 *
 * Errors, none of which started anything: `lifecycle_hook.no_execution`, `lifecycle_hook.wrong_call`, `lifecycle_hook.not_listed`,
 * `lifecycle_hook.no_program`. `lifecycle_hook.timed_out` ended the program.
 */
export const hookTool = (parts: HookToolParts): ServedTool => ({
  name: HOOK_TOOL,
  parameters: {},
  reads: false,
  call: async (given, { claims, signal }) => {
    // A tenant's catalog may have a tool of this name. A grant for a call of an agent opens no hook.
    if (claims.source.type !== 'lifecycle_hook' || claims.shell !== null)
      return refused('no_execution', 'The grant is for no execution of a lifecycle hook.');
    const read = hookCallSchema.safeParse(given);
    if (!read.success) return refused('wrong_call', 'This runner cannot read the call of the hook.');
    const path = parts.hooks.get(read.data.program);
    if (path === undefined)
      return refused(
        'not_listed',
        `This runner lists no program ${read.data.program} for hooks. Its operator adds it to COUNTERSIGN_RUNNER_HOOKS.`,
      );
    const problem = await problemOf(path, parts.root);
    if (problem !== null)
      return refused('no_program', `The program ${read.data.program} cannot be executed: ${problem}.`);
    return execute(path, read.data, parts, signal);
  },
});

async function problemOf(path: string, root: string): Promise<string | null> {
  if (isInRoot(path, root)) return 'it lies in the workspace, where tools could change it';
  try {
    if (!(await stat(path)).isFile()) return 'it is no file';
    await access(path, constants.X_OK);
    return null;
  } catch {
    return 'it is not there, or may not be executed';
  }
}

async function execute(
  program: string,
  { arguments: args, variables, timeout_seconds: seconds }: HookCall,
  { programFolders, groups }: HookToolParts,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const limit = AbortSignal.timeout(seconds * 1_000);
  let output = '';
  try {
    const { exitCode, truncated } = await runProgram({
      program,
      args,
      cwd: '/',
      env: { ...variables, PATH: programFolders.join(':'), LANG: 'C.UTF-8' },
      signal: AbortSignal.any([signal, limit]),
      outputBytes: MAX_OUTPUT,
      output: ({ text }) => {
        output = (output + text).slice(0, MAX_OUTPUT);
      },
      note: { groups, home: null },
    });
    return { ok: true, result: { exit_status: exitCode, output, truncated } };
  } catch {
    const error = limit.aborted
      ? {
          code: 'lifecycle_hook.timed_out',
          message: `The program did not end within ${String(seconds)} seconds, and was ended.`,
        }
      : { code: 'lifecycle_hook.ended', message: 'The program could not be started, or the runner ended it.' };
    return { ok: false, effect: 'done', error };
  }
}

const refused = (code: string, message: string): ToolOutcome => ({
  ok: false,
  effect: 'not_started',
  error: { code: `lifecycle_hook.${code}`, message },
});
