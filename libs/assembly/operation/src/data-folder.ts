import { makeFolderSync } from '#lib/folders';
import { errorCode, fail } from '#lib/kernel';

/** Codes of the system for a disk, or a quota, without room. */
const FULL = new Set(['ENOSPC', 'EDQUOT']);

/**
 * Makes the data folder of a server that keeps the embedded PostgreSQL or a keyring of its own there.
 *
 * @throws {FailureError} `start.disk_full`, `start.data_refused`.
 */
export function makeServerData(environment: Readonly<Record<string, string | undefined>>, folder: string): void {
  if (environment.DATABASE_URL !== undefined && environment.COUNTERSIGN_KEYRING !== undefined) return;
  makeDataFolder(folder, 'COUNTERSIGN_DATA');
}

/**
 * Makes the data folder of a process, for its own account alone, and the folders above it.
 *
 * @param setting the environment variable that names it.
 * @throws {FailureError} `start.disk_full`, `start.data_refused`.
 */
export function makeDataFolder(folder: string, setting: string): void {
  try {
    makeFolderSync(folder);
  } catch (error) {
    refuseIfFull(error, folder, setting);
    fail({
      kind: 'unavailable',
      code: 'start.data_refused',
      message: `The data folder ${folder} cannot be made (${errorCode(error) ?? String(error)}).`,
      action: `Name a folder in ${setting} that the account of this process may make, or that it owns.`,
    });
  }
}

/**
 * Runs work that writes to a data folder.
 *
 * @throws {FailureError} `start.disk_full`; anything else as it is.
 */
export async function inDataFolder<T>(folder: string, setting: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    refuseIfFull(error, folder, setting);
    throw error;
  }
}

function refuseIfFull(error: unknown, folder: string, setting: string): void {
  const code = errorCode(error);
  if (code === undefined || !FULL.has(code)) return;
  // A failed write names no file; then it is one of the folder.
  const path = error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : folder;
  fail({
    kind: 'unavailable',
    code: 'start.disk_full',
    message: `The disk is full: there is no room for ${path} (${code}).`,
    action: `Free space on that disk, or name a folder on another disk in ${setting}; then start again.`,
  });
}
