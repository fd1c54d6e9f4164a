import type { JsonObject } from '#lib/canonical';
import type { ShellName } from '#lib/formats';
import { valueAt } from './json-pointer.js';
import type { ToolVersion } from './tool-version.js';

/** The command line that a call would execute. */
export interface CommandLine {
  readonly text: string;
  /** The shell that reads it. */
  readonly shell: ShellName;
  /** JSON Pointer into the arguments. */
  readonly pointer: string;
}

/**
 * The command line of a call, once its arguments are validated. Empty if they leave it out: a classifier then denies it.
 *
 * @returns null for a tool that takes none
 */
export function commandLineOf({ definition }: Pick<ToolVersion, 'definition'>, args: JsonObject): CommandLine | null {
  const { shell } = definition;
  if (shell === undefined) return null;
  const text = valueAt(args, shell.argument);
  return { text: typeof text === 'string' ? text : '', shell: shell.shell, pointer: shell.argument };
}
