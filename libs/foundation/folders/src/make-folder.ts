import { mkdirSync, statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** For the account of the process alone. */
const PRIVATE = 0o700;

/**
 * Makes a folder, and the folders above it that are missing. One that is there stays as it is.
 *
 * @param mode of each folder that is made.
 * @throws {NodeJS.ErrnoException} of the first folder that cannot be made.
 */
export async function makeFolder(folder: string, mode = PRIVATE): Promise<void> {
  const path = resolve(folder);
  if (await isFolder(path)) return;
  if (dirname(path) !== path) await makeFolder(dirname(path), mode);
  try {
    await mkdir(path, { mode });
  } catch (error) {
    // Another process may have made it just now.
    if (!(await isFolder(path))) throw error;
  }
}

/** The same at once, for a program that starts. */
export function makeFolderSync(folder: string, mode = PRIVATE): void {
  const path = resolve(folder);
  if (isFolderSync(path)) return;
  if (dirname(path) !== path) makeFolderSync(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (!isFolderSync(path)) throw error;
  }
}

const isFolder = async (path: string): Promise<boolean> => {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
};

const isFolderSync = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
};
