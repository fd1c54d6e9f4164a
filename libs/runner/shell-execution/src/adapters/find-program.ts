import { accessSync, closeSync, constants, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorCode } from '#lib/kernel';
import { CommandFailure, Stop } from '../domain/stop.js';

/** A program to start. `name` is the word of the line. */
export interface Program {
  readonly name: string;
  readonly path: string;
}

/**
 * Finds a program: by its name in the fixed folders, never in the current folder; by a path only inside those folders or inside the
 * workspace, symbolic links resolved.
 *
 * @param folder the absolute path of the current folder
 * @throws CommandFailure 127 if there is none, 126 if it cannot be executed; Stop `shell.program_outside`
 */
export function findProgram(name: string, folders: readonly string[], root: string, folder: string): Program {
  if (!name.includes('/')) return { name, path: inFolders(name, folders) };
  const spelled = name.startsWith('/') ? name : join(folder, name);
  if (folders.includes(dirname(spelled))) return { name, path: checked(spelled) };
  const path = spelled.startsWith(`${root}/`) ? resolved(spelled) : '';
  if (path.startsWith(`${root}/`)) return { name, path: checked(path) };
  const message = `${name} is neither in the workspace nor in a folder of programs. Name the program without a path.`;
  throw new Stop('shell.program_outside', message);
}

function inFolders(name: string, folders: readonly string[]): string {
  let failure = new CommandFailure(127, 'command not found');
  for (const folder of folders) {
    try {
      return checked(join(folder, name));
    } catch (error) {
      if (error instanceof CommandFailure && error.status === 126) failure = error;
    }
  }
  throw failure;
}

function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    throw new CommandFailure(127, 'No such file or directory');
  }
}

/** The path, if it is a file that the kernel executes by itself. */
function checked(path: string): string {
  try {
    if (!statSync(path).isFile()) throw new CommandFailure(126, 'Is a directory');
    accessSync(path, constants.X_OK);
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    if (errorCode(error) === 'EACCES') throw new CommandFailure(126, 'Permission denied');
    throw new CommandFailure(127, 'No such file or directory');
  }
  // The C library hands a file of no known format to a shell.
  if (!/^(?:#!|\x7fELF)/.test(beginningOf(path))) {
    throw new CommandFailure(126, `${basename(path)} is no program: begin it with #! and its interpreter`);
  }
  return path;
}

function beginningOf(path: string): string {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r');
  } catch {
    // A program may be executable and not readable. Then it is no script.
    return '\x7fELF';
  }
  try {
    const bytes = Buffer.alloc(4);
    readSync(descriptor, bytes, 0, 4, 0);
    return bytes.toString('latin1');
  } finally {
    closeSync(descriptor);
  }
}
