import { closeSync, constants, fstatSync, ftruncateSync, lstatSync, openSync, readdirSync, type Stats } from 'node:fs';
import { folderPath, outside, type FolderPath } from '../domain/folder-path.js';
import { CommandFailure, Stop } from '../domain/stop.js';
import { errorText } from './error-text.js';
import { withFileMode } from './with-file-mode.js';

const { O_APPEND, O_CREAT, O_DIRECTORY, O_NOCTTY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
const FOLDER = O_RDONLY | O_DIRECTORY | O_NOFOLLOW;
// Non-blocking, so that a named pipe that was put there does not hold the runner.
const ACCESS = { read: O_RDONLY, write: O_WRONLY | O_CREAT, append: O_WRONLY | O_CREAT | O_APPEND } as const;

export type Access = keyof typeof ACCESS;

/**
 * The folders that a line is confined to. Every path is opened step by step from a descriptor of its base, and no step
 * follows a symbolic link. So a path that changes after its check leads nowhere else (T53). Linux only, through
 * /proc/self/fd.
 */
export class ConfinedFolders {
  readonly #bases = new Map<string, number>();

  /** @param bases absolute paths without a symbolic link; relative paths of a line begin at the first */
  constructor(bases: readonly string[]) {
    try {
      for (const base of bases) this.#bases.set(base, openSync(base, FOLDER));
    } catch (error) {
      this.close();
      throw error;
    }
  }

  close(): void {
    for (const descriptor of this.#bases.values()) closeSync(descriptor);
    this.#bases.clear();
  }

  /** The place of a path, if its spelling stays inside. @throws Stop `shell.outside_root` */
  locate(folder: readonly string[], path: string): FolderPath {
    return folderPath([...this.#bases.keys()], folder, path);
  }

  /** Opens a folder. The caller closes the descriptor. @throws Stop, CommandFailure */
  openFolder(path: FolderPath): number {
    const base = this.#bases.get(path.base);
    if (base === undefined) throw outside(path.base);
    const opened = [openSync(`/proc/self/fd/${String(base)}/.`, FOLDER)];
    try {
      for (const step of path.steps) {
        if (step === '..') closeSync(opened.pop() ?? -1);
        else opened.push(openStep(opened.at(-1) ?? -1, step));
        if (opened.length === 0) throw outside(path.steps.join('/'));
      }
      return opened.pop() ?? -1;
    } finally {
      for (const descriptor of opened) closeSync(descriptor);
    }
  }

  /** The names of the folder below the base, `..` taken into account. @throws Stop, CommandFailure if it cannot be entered */
  enter(path: FolderPath): readonly string[] {
    closeSync(this.openFolder(path));
    const names: string[] = [];
    for (const step of path.steps) {
      if (step === '..') names.pop();
      else names.push(step);
    }
    return names;
  }

  /** Opens a regular file, which is emptied for `write`. The caller closes the descriptor. @throws Stop, CommandFailure */
  openFile(path: FolderPath, access: Access): number {
    const name = path.steps.at(-1);
    if (name === undefined || name === '..') throw new CommandFailure(1, 'Is a directory');
    const folder = this.openFolder({ ...path, steps: path.steps.slice(0, -1) });
    try {
      const at = `/proc/self/fd/${String(folder)}/${name}`;
      const descriptor = opening(at, name, () =>
        withFileMode(() => openSync(at, ACCESS[access] | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0o666)),
      );
      try {
        const stat = fstatSync(descriptor);
        if (!stat.isFile()) throw new CommandFailure(1, 'Is no regular file');
        if (stat.nlink > 1) throw hardLink(name);
        if (access === 'write') ftruncateSync(descriptor, 0);
        return descriptor;
      } catch (error) {
        closeSync(descriptor);
        throw error;
      }
    } finally {
      closeSync(folder);
    }
  }
}

/** Opens the folder of a name inside an opened folder. @throws Stop if it is a symbolic link, CommandFailure if it is no folder */
export function openStep(folder: number, name: string): number {
  const at = `/proc/self/fd/${String(folder)}/${name}`;
  return opening(at, name, () => openSync(at, FOLDER));
}

/** The names inside an opened folder. @throws Stop `shell.name_not_utf8` */
export function namesIn(folder: number): string[] {
  return readdirSync(`/proc/self/fd/${String(folder)}`, { encoding: 'buffer' }).map((bytes) => {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      const message =
        'A pattern meets a name that is not UTF-8, which no argument can hold. Name the files one by one.';
      throw new Stop('shell.name_not_utf8', message);
    }
  });
}

/** The kind of entry that a name inside an opened folder has; null if there is none. */
export function statIn(folder: number, name: string): Stats | null {
  return lstatSync(`/proc/self/fd/${String(folder)}/${name}`, { throwIfNoEntry: false }) ?? null;
}

function opening(at: string, name: string, open: () => number): number {
  try {
    return open();
  } catch (error) {
    // A folder that is a symbolic link is refused as "not a directory".
    if (isLink(at)) {
      const message = `${name} is a symbolic link, which the runner does not follow. Name the file that it points to.`;
      throw new Stop('shell.symbolic_link', message);
    }
    throw new CommandFailure(1, errorText(error));
  }
}

const hardLink = (name: string): Stop =>
  new Stop(
    'shell.hard_link',
    `${name} has a second name, which may lie outside the workspace. Copy the file, and name the copy.`,
  );

function isLink(at: string): boolean {
  try {
    return lstatSync(at).isSymbolicLink();
  } catch {
    return false;
  }
}
