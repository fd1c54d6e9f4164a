import { z } from 'zod';
import { ToolRefusal } from '../domain/tool-refusal.js';
import { textOf } from '../domain/text.js';
import type { Folder } from '../files/folder.js';
import type { ToolContext } from '../domain/runner-tool.js';
import { runProgram } from './run-program.js';

/** Where programs are found, and the home folder that they see. */
export interface ProgramSettings {
  readonly path: string;
  readonly home: string;
  /** The time limit of a script; seed 001's default is 120 seconds. */
  readonly scriptSeconds: number;
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
  .regex(/^[A-Za-z0-9][A-Za-z0-9:_.-]*$/);

const packageSchema = z.object({ scripts: z.record(z.string(), z.string()).optional() });

/**
 * Executes `npm run SCRIPT` in the root, with both streams in one output.
 *
 * @throws {ToolRefusal} `workspace.no_such_script` unless package.json of the root has it.
 */
export async function runScript(
  root: Folder,
  script: string,
  context: ToolContext,
  settings: ProgramSettings,
  seconds = settings.scriptSeconds,
): Promise<ScriptEnd> {
  if (!(await scriptsOf(root, context.limits.fileBytes)).has(script)) {
    throw new ToolRefusal('workspace.no_such_script', `package.json of the workspace has no script "${script}".`);
  }
  const limit = AbortSignal.timeout(seconds * 1_000);
  let output = '';
  const end = (passed: boolean, exitCode: number | null, truncated: boolean): ScriptEnd => ({
    script,
    passed,
    exit_code: exitCode,
    timed_out: limit.aborted,
    output,
    truncated,
  });
  try {
    const { exitCode, truncated } = await runProgram({
      program: 'npm',
      args: ['run', '--silent', script],
      cwd: root.path,
      env: environmentOf(settings),
      signal: AbortSignal.any([context.signal, limit]),
      outputBytes: Math.floor(context.limits.outputBytes / 2),
      output: (chunk) => {
        output += chunk.text;
        context.output(chunk);
      },
    });
    return end(exitCode === 0, exitCode, truncated);
  } catch (problem) {
    if (context.signal.aborted || !limit.aborted) throw problem;
    return end(false, null, false);
  }
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
const environmentOf = ({ path, home }: ProgramSettings): Readonly<Record<string, string>> => ({
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
