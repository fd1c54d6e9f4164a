import { realpath } from 'node:fs/promises';
import { z } from 'zod';
import { isTimeout } from '../domain/is-timeout.js';
import { ToolRefusal } from '../domain/tool-refusal.js';
import { textOf } from '../domain/text.js';
import type { Folder } from '../files/folder.js';
import type { ToolContext } from '../domain/runner-tool.js';
import { sandboxArguments, withoutSandbox, type Sandbox } from '../sandbox/sandbox.js';
import type { ProgramGroups } from './program-groups.js';
import { runProgram, type ProgramOrder } from './run-program.js';

/** The folders of programs, and the confinement of these. */
export interface ProgramSettings {
  readonly path: string;
  /** The home folder of programs without a sandbox. In a sandbox it is an empty one. */
  readonly home: string;
  readonly sandbox: Sandbox;
  /** The time limit of a script. */
  readonly scriptSeconds: number;
  readonly groups?: ProgramGroups;
}

export interface ScriptEnd {
  readonly script: string;
  readonly passed: boolean;
  readonly exit_code: number | null;
  readonly timed_out: boolean;
  readonly output: string;
  readonly truncated: boolean;
}

/** The name of a script: no option of npm. */
export const scriptNameSchema = z
  .string()
  .max(64)
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9:_.-]*$/,
    'must begin with a letter or digit, and hold only letters, digits and : _ . -',
  );

const EMPTY_IN_SANDBOX = '/tmp';

const packageSchema = z.object({ scripts: z.record(z.string(), z.string()).optional() });

/**
 * Executes `npm run SCRIPT` in the root, with both streams in one output. An agent may have written the code that runs.
 * A sandbox lets it write to the root alone, and gives it no network. If its own time or that of the call is over, it
 * ends with its output so far.
 *
 * @throws {ToolRefusal} `workspace.no_such_script` unless package.json of the root has it; `workspace.no_sandbox`.
 */
export async function runScript(
  root: Folder,
  script: string,
  context: ToolContext,
  settings: ProgramSettings,
): Promise<ScriptEnd> {
  if (!(await scriptsOf(root, context.limits.fileBytes)).has(script)) {
    throw new ToolRefusal('workspace.no_such_script', `package.json of the workspace has no script "${script}".`);
  }
  const order = await orderOf(root, script, settings);
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(settings.scriptSeconds * 1_000)]);
  let output = '';
  const end = (passed: boolean, exitCode: number | null, truncated: boolean): ScriptEnd => ({
    script,
    passed,
    exit_code: exitCode,
    timed_out: isTimeout(signal.reason),
    output,
    truncated,
  });
  try {
    const { exitCode, truncated } = await runProgram({
      ...order,
      ...noteOf(settings),
      cwd: root.path,
      signal,
      outputBytes: Math.floor(context.limits.outputBytes / 2),
      output: (chunk) => {
        output += chunk.text;
        context.output(chunk);
      },
    });
    return end(exitCode === 0, exitCode, truncated);
  } catch (problem) {
    if (!isTimeout(signal.reason)) throw problem;
    return end(false, null, false);
  }
}

/** In a sandbox every program has the same home, and ends with the runner. */
const noteOf = ({ groups, home, sandbox }: ProgramSettings): Pick<ProgramOrder, 'note'> =>
  groups === undefined ? {} : { note: { groups, home: sandbox.kind === 'open' ? home : null } };

async function orderOf(
  root: Folder,
  script: string,
  { path, home, sandbox }: ProgramSettings,
): Promise<Pick<ProgramOrder, 'program' | 'args' | 'env'>> {
  const args = ['run', '--silent', script];
  if (sandbox.kind === 'missing') {
    throw new ToolRefusal('workspace.no_sandbox', withoutSandbox(sandbox.reason, 'script of package.json'));
  }
  if (sandbox.kind === 'open') return { program: 'npm', args, env: environmentOf(path, home) };
  const folder = await realpath(root.path);
  const view = { ...sandbox, writable: [folder], visible: [], folder, network: false };
  return {
    program: sandbox.path,
    args: sandboxArguments(view, ['npm', ...args]),
    env: environmentOf(path, EMPTY_IN_SANDBOX),
  };
}

async function scriptsOf(root: Folder, most: number): Promise<ReadonlySet<string>> {
  if ((await root.stat('package.json')) === null) return new Set();
  const text = textOf((await root.read('package.json', most)).content);
  try {
    return new Set(Object.keys(packageSchema.parse(JSON.parse(text ?? '')).scripts ?? {}));
  } catch {
    return new Set();
  }
}

/** npm reads settings of the workspace too: those that would execute something else are fixed here. */
const environmentOf = (path: string, home: string): Readonly<Record<string, string>> => ({
  PATH: path,
  HOME: home,
  LANG: 'C.UTF-8',
  CI: 'true',
  NO_COLOR: '1',
  npm_config_script_shell: '/bin/sh',
  npm_config_userconfig: '/dev/null',
  npm_config_globalconfig: '/nonexistent/npmrc',
  npm_config_update_notifier: 'false',
});
